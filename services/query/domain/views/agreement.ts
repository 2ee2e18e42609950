import { byScore, type RankedPassage } from '../ranking/scored-passage.ts';
import type { ViewWords } from '../ranking/view-words.ts';
import type { TermInView, WantedTerm, WantedTerms } from '../ranking/wanted-terms.ts';
import { isOrdinary } from '../text/general-rarity.ts';

/** Passages looked at; further ones have too little of the question. */
const passagesLookedAt = 10;
/** A passage agrees with a question by this many of its words, and by this part of them. */
const leastMet = 2;
const leastPartMet = 0.5;
/** Terms that stand further apart than in a sentence may have nothing to do with each other. */
const windowLength = 12;
/** Passages that would have so many of the words by chance must be fewer than this. */
const mostByChance = 1;
/** What is left of the weight of an ordinary word that no agreeing passage has. */
const partOfUnmet = 0.5;
/** Where other words agree, little doubt is left: 0.6 becomes 0.9. */
const agreedExponent = 0.25;
/** What is left of the trust in other words where no passage agrees: one word may be met by another in another sense. */
const partOfTrust = 0.5;

/** A question in other words too, and what was found for it. */
export interface Widened {
  wanted: WantedTerms;
  ranked: readonly RankedPassage[];
}

/**
 * Trusts other words for the same where several of them agree. A passage agrees that has at least two words of the
 * question, or others for them, and half of them, near each other and not by chance, and lacks only ordinary words.
 * Such passages come first; other words are then trusted more, and ordinary words that the passage lacks count less.
 * Where none agrees, other words than `asked` has are trusted less.
 */
export function weighedByAgreement(
  asked: WantedTerms,
  { wanted, ranked }: Widened,
  words: ViewWords,
): { wanted: WantedTerms; ranked: RankedPassage[] } {
  const agreeing = new Map<RankedPassage, ReadonlySet<WantedTerm>>();
  for (const passage of ranked.slice(0, passagesLookedAt)) {
    const met = agreement(passage, wanted, words);
    if (met !== undefined) agreeing.set(passage, met);
  }
  const [best] = agreeing.values();
  const telling = wanted.telling.map((term, place) => {
    const sure = asked.telling[place]?.alternatives.length ?? 0;
    const alternatives = term.alternatives.map((other, number) => {
      if (number < sure) return other;
      return { ...other, trust: best ? other.trust ** agreedExponent : partOfTrust * other.trust };
    });
    const isLacking = best !== undefined && !best.has(term);
    return { ...term, alternatives, weight: term.weight * (isLacking ? partOfUnmet : 1) };
  });
  const [first] = ranked;
  const ordered = ranked.map((passage) =>
    agreeing.has(passage) ? { ...passage, score: passage.score + (first?.score ?? 0) } : passage,
  );
  return { wanted: { ...wanted, telling }, ranked: ordered.sort(byScore) };
}

/** The words of a question that a passage has where it agrees; undefined where it does not. */
function agreement(
  passage: RankedPassage,
  { telling, language }: WantedTerms,
  words: ViewWords,
): ReadonlySet<WantedTerm> | undefined {
  const present = termsOfBestWindow(passage, telling);
  const has = ({ number }: TermInView) => present.has(number);
  const met = new Set(telling.filter((term) => has(term) || term.alternatives.some(has)));
  if (met.size < Math.max(leastMet, leastPartMet * telling.length)) return undefined;
  if (!telling.every((term) => met.has(term) || isOrdinary(term.text, language))) return undefined;
  return expectedByChance([...met], telling.length, has, words) < mostByChance ? met : undefined;
}

/** The terms of a passage's head and of those 12 terms side by side in its text that meet most words of a question. */
function termsOfBestWindow(
  { terms, headLength }: RankedPassage,
  telling: readonly WantedTerm[],
): ReadonlySet<number> {
  /** By number of a term: the places of the words that it meets. */
  const placesOf = new Map<number, number[]>();
  for (const [place, word] of telling.entries())
    for (const { number } of [word, ...word.alternatives])
      placesOf.set(number, [...(placesOf.get(number) ?? []), place]);
  const counts = new Uint32Array(telling.length);
  let met = 0;
  const count = (number: number, change: 1 | -1) => {
    for (const place of placesOf.get(number) ?? []) {
      const before = counts[place] as number;
      counts[place] = before + change;
      if (before === 0) met += 1;
      else if (before + change === 0) met -= 1;
    }
  };
  for (const number of terms.subarray(0, headLength)) count(number, 1);
  let best = { met: -1, end: headLength };
  for (let end = headLength; end < terms.length; end += 1) {
    count(terms[end] as number, 1);
    if (end - windowLength >= headLength) count(terms[end - windowLength] as number, -1);
    if (met > best.met) best = { met, end: end + 1 };
  }
  const start = Math.max(headLength, best.end - windowLength);
  return new Set([...terms.subarray(0, headLength), ...terms.subarray(start, best.end)]);
}

/**
 * How many passages of the view would have so many of the question's words if each word stood in passages by chance: a
 * product of the parts of all passages that have them, times the ways to choose so many words.
 */
function expectedByChance(
  met: readonly WantedTerm[],
  wanted: number,
  has: (term: TermInView) => boolean,
  words: ViewWords,
): number {
  let expected = words.statistics.passages;
  for (const [place, term] of met.entries()) {
    const forms = [term, ...term.alternatives];
    const trust = Math.max(...forms.filter(has).map((form) => form.trust));
    // What is trusted as much would have done as well.
    const frequency = forms
      .filter((form) => form.trust >= trust)
      .reduce((sum, { text }) => sum + words.frequencyOf(text), 0);
    expected *= Math.min(1, frequency / words.statistics.passages) * ((wanted - place) / (place + 1));
  }
  return expected;
}
