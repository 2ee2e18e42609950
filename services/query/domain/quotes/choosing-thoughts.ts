import { shareOf, tellingWeight } from '../ranking/missing-words.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import { isMet, pairShare, partMet, type WantedTerm } from '../ranking/wanted-terms.ts';
import type { Findings } from '../views/search-view.ts';
import { headingOf, type ShownPassage } from './showing.ts';
import { type Match, thoughtIn } from './thought.ts';

const maxShown = 3;
/** Passages of which further ones are chosen. */
const maxLookedAt = 20;
/** A further passage is shown where its score is as near to the first one's as this, and it has a word that is new. */
const minPartOfFirst = 0.7;
/** Or where it has this part of the question that none before it has: the other side of what is asked for. */
const minAdded = 0.15;
const minPartForSide = 0.3;
/** Characters of all that is shown, and of each further passage, by how many there are. */
const maxLength = 900;
const furtherLengths: readonly (readonly number[])[] = [[], [350], [250, 200]];
const pairWeight = 0.65;

/** Chooses what is shown of passages, in their order: the first, and those that are as near or have another side of the question. */
export function chooseThoughts(passages: readonly ScoredPassage[], findings: Findings): ShownPassage[] {
  const [first, ...others] = choosePassages(passages, findings);
  if (first === undefined) return [];
  const further = others.map((hit, place) => {
    const limit = furtherLengths[others.length]?.[place] ?? 0;
    return { hit, thought: thoughtIn(hit.passage.text, matching(findings, hit), limit) };
  });
  const headings = [first, ...others].reduce((sum, hit) => sum + headingOf(hit).length, 0);
  const room = further.reduce((left, { thought }) => left - thought.text.length, maxLength - headings);
  return [
    { hit: first, thought: thoughtIn(first.passage.text, matching(findings, first), room) },
    ...further,
  ];
}

/** How much of a question a text of a passage has: the share of its weight, and of its pairs of neighbouring words. */
function matching({ wanted, numbersOf }: Findings, { passage }: ScoredPassage): Match {
  const total = wanted.telling.reduce((sum, term) => sum + tellingWeight(term), 0) || 1;
  return (text) => {
    const terms = numbersOf(text, passage.language);
    const present = new Set(terms);
    const met = wanted.telling.reduce((sum, term) => sum + tellingWeight(term) * partMet(term, present), 0);
    return met / total + pairWeight * pairShare(wanted.pairs, terms);
  };
}

/**
 * Returns the first passage, and of the others those that come near it or have another side of the question, in their
 * order: of these the ones whose best sentence has most of the question.
 */
function choosePassages(passages: readonly ScoredPassage[], findings: Findings): ScoredPassage[] {
  const { wanted } = findings;
  const [first, ...others] = passages.slice(0, maxLookedAt);
  if (first === undefined) return [];
  const candidates = others.map((hit) => {
    const { match } = thoughtIn(hit.passage.text, matching(findings, hit), maxLength);
    return { hit, part: hit.score / first.score, match };
  });
  const shown = [first];
  let open = without(wanted.telling, first);
  while (shown.length < maxShown) {
    const [next] = candidates
      .filter(({ hit }) => !shown.some((other) => hit === other || addsNothing(hit, other)))
      .map((each) => ({ ...each, added: shareOf(open, wanted) - shareOf(without(open, each.hit), wanted) }))
      .filter(({ part, added }) => part >= minPartOfFirst || (added >= minAdded && part >= minPartForSide))
      .sort((left, right) => right.part + right.added + right.match - left.part - left.added - left.match);
    if (next === undefined) break;
    shown.push(next.hit);
    open = without(open, next.hit);
  }
  return shown.sort((left, right) => passages.indexOf(left) - passages.indexOf(right));
}

/** The words that a passage does not have. */
function without(terms: readonly WantedTerm[], hit: ScoredPassage): WantedTerm[] {
  const present = new Set(hit.terms);
  return terms.filter((term) => !isMet(term, present));
}

/** Whether a passage has no word that another one has not: copies differ in how they are broken. */
function addsNothing({ passage }: ScoredPassage, other: ScoredPassage): boolean {
  const words = (text: string) => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const known = new Set(words(other.passage.text));
  return words(passage.text).every((word) => known.has(word));
}
