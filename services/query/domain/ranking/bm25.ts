import { otherTerm, type ViewWords } from '../words/vocabulary.ts';
import type { Candidate, RankedPassage } from './scored-passage.ts';
import { headWeight, itemWeight, saturated } from './scoring.ts';
import type { WantedTerm } from './wanted-terms.ts';

/**
 * Words of everyday English weigh less than names that are as frequent in the view: beside one name, a question has many.
 * 0.2 and 0.4 do equally well.
 */
const rarityExponent = 0.2;
const blank = 0x20;

/** One of the terms by which a word of a question may be met. */
interface Form {
  /** Place of the word in the question. */
  word: number;
  weight: number;
}

/** A passage with its terms, not scored yet. */
export function rankedPassage({ head, text, ...place }: Candidate, words: ViewWords): RankedPassage {
  const headLength = termsIn(head);
  const textLength = termsIn(text);
  const all = ` ${[head, text].filter((part) => part !== '').join(' ')} `;
  const terms = new Uint32Array(headLength + textLength).fill(otherTerm);
  // Few terms are asked for: cutting out and looking up all of them took most of a question's time.
  let [before, end] = [0, 0];
  for (const { index, 0: term } of all.matchAll(words.wantedPattern())) {
    before += blanksIn(all, end, index);
    end = index;
    terms[before - 1] = words.numberOf(term);
  }
  return {
    ...place,
    score: 0,
    terms,
    text: all,
    headLength,
    relativeLength: (textLength + headWeight * headLength) / words.statistics.averageLength,
  };
}

/** How many terms stand here, parted by one blank each. */
function termsIn(kept: string): number {
  return kept === '' ? 0 : 1 + blanksIn(kept, 0, kept.length);
}

function blanksIn(text: string, start: number, end: number): number {
  let blanks = 0;
  for (let at = start; at < end; at += 1) if (text.charCodeAt(at) === blank) blanks += 1;
  return blanks;
}

/**
 * Scores passages exactly by BM25, title and headings counted three times. Of a term and its alternatives, each times its
 * trust, the best counts. What an item is about is said all over it: its passages together, as far as they are among
 * these, count as one text beside each of them.
 */
export function scoredByWords(
  query: readonly WantedTerm[],
  passages: readonly RankedPassage[],
  words: ViewWords,
): RankedPassage[] {
  const forms = formsOf(query, words);
  const { averageLength, passages: count, items } = words.statistics;
  const itemLength = (averageLength * count) / Math.max(1, items);
  return [...Map.groupBy(passages, ({ rowKey }) => rowKey).values()].flatMap((ofItem) => {
    const frequencies = ofItem.map((hit) => frequenciesIn(hit.terms, hit.headLength, forms));
    const inAll = new Map<number, number>();
    for (const { terms } of ofItem)
      for (const [number, frequency] of frequenciesIn(terms, 0, forms))
        inAll.set(number, (inAll.get(number) ?? 0) + frequency);
    const length = ofItem.reduce((sum, { terms }) => sum + terms.length, 0);
    const together = itemWeight * scoreOf(inAll, length / itemLength, forms);
    return ofItem.map((hit, place) => {
      const alone = scoreOf(frequencies[place] ?? inAll, hit.relativeLength, forms);
      return { ...hit, score: alone + together };
    });
  });
}

/** The score of a text in which terms occur so often; a word of the question counts by the form that meets it best. */
function scoreOf(
  frequencies: ReadonlyMap<number, number>,
  relativeLength: number,
  forms: ReadonlyMap<number, readonly Form[]>,
): number {
  const best = new Map<number, number>();
  for (const [number, frequency] of frequencies) {
    const part = saturated(frequency, relativeLength);
    for (const { word, weight } of forms.get(number) ?? [])
      best.set(word, Math.max(best.get(word) ?? 0, weight * part));
  }
  return best.values().reduce((sum, part) => sum + part, 0);
}

/** By number of a term: the words of the question that it meets, and its weight for each. */
function formsOf(query: readonly WantedTerm[], words: ViewWords): Map<number, Form[]> {
  const forms = new Map<number, Form[]>();
  for (const [word, term] of query.entries()) {
    const ofTerm = words.frequencyOf(term.text);
    const everyday = term.rarity ** rarityExponent;
    for (const { text, number, trust } of [{ ...term, trust: 1 }, ...term.alternatives]) {
      // A rare word for a frequent one must not count for more than that.
      const frequency = Math.max(ofTerm, words.frequencyOf(text));
      const inverse = Math.log(1 + (words.statistics.passages - frequency + 0.5) / (frequency + 0.5));
      const known = forms.getOrInsertComputed(number, () => []);
      known.push({ word, weight: everyday * trust * inverse });
    }
  }
  return forms;
}

/** How often terms have each form, those of the head counted by their weight. */
function frequenciesIn(
  terms: Uint32Array,
  headLength: number,
  forms: ReadonlyMap<number, unknown>,
): Map<number, number> {
  const frequencies = new Map<number, number>();
  for (let at = 0; at < terms.length; at += 1) {
    const number = terms[at] as number;
    if (!forms.has(number)) continue;
    frequencies.set(number, (frequencies.get(number) ?? 0) + (at < headLength ? headWeight : 1));
  }
  return frequencies;
}
