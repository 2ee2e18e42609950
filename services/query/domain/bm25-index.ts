import type { Tier } from './passage.ts';
import {
  addPosting,
  createPostingList,
  frequencyOf,
  type PostingList,
  removePosting,
  slotOf,
} from './posting-list.ts';

/** Saturation and length normalisation as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009). */
const k1 = 1.2;
const b = 0.75;
/** A word of title or heading counts as if it stood in the passage three times. */
const headWeight = 3;

/** What the index keeps of a passage. */
export interface IndexedPassage {
  rowKey: string;
  title: string;
  tier: Tier;
  ordinal: number;
  headings: readonly string[];
  text: string;
}

/** A passage with the terms of its head (title and headings) and of its text, in order. */
export interface AnalyzedPassage {
  passage: IndexedPassage;
  head: readonly string[];
  body: readonly string[];
}

/** A passage and how well it fits. */
export interface ScoredPassage {
  passage: IndexedPassage;
  /** Larger is better; comparable within one search only. */
  score: number;
  /** The terms of head and text, in order, as numbers of this index. */
  terms: Uint32Array;
}

/** An exact, incremental BM25 over the passages of one view. */
export interface Bm25Index {
  /** Adds a passage and answers its slot, by which it is removed. */
  add(analyzed: AnalyzedPassage): number;
  remove(slot: number): void;
  /** Best passages for these terms by score, then row key, then ordinal. */
  search(terms: readonly string[], limit: number): ScoredPassage[];
  /** The number of a term in `ScoredPassage.terms`; undefined where no passage has it. */
  numberOf(term: string): number | undefined;
  /** In how many passages a term occurs. */
  documentFrequency(term: string): number;
  /** Different terms in use. */
  vocabularySize(): number;
  /**
   * How telling a term is, above 0: ln(1 + passages / passages with it). Other
   * than BM25's own weight it stays clear of 0 where few passages share most
   * words; a term that no passage has counts as if one had it.
   */
  rarity(term: string): number;
}

interface Term {
  text: string;
  number: number;
  postings: PostingList;
}

interface Slot {
  passage: IndexedPassage;
  terms: Uint32Array;
  headLength: number;
  /** Terms of text and head, those of the head counted by their weight. */
  weightedLength: number;
}

/** Words that come into use and fall out of use are told to `vocabulary`. */
export interface VocabularyListener {
  add(term: string): void;
  remove(term: string): void;
}

/** Makes an empty index. */
export function createBm25Index(vocabulary: VocabularyListener): Bm25Index {
  const terms = new Map<string, Term>();
  const termsByNumber: Term[] = [];
  const freeNumbers: number[] = [];
  const slots: (Slot | undefined)[] = [];
  const freeSlots: number[] = [];
  let scores = new Float64Array(1_024);
  let passageCount = 0;
  let totalLength = 0;

  function termFor(text: string): Term {
    const known = terms.get(text);
    if (known) return known;
    const term = { text, number: freeNumbers.pop() ?? termsByNumber.length, postings: createPostingList() };
    termsByNumber[term.number] = term;
    terms.set(text, term);
    vocabulary.add(text);
    return term;
  }

  function forget(term: Term): void {
    terms.delete(term.text);
    freeNumbers.push(term.number);
    vocabulary.remove(term.text);
  }

  function documentFrequency(term: string): number {
    return terms.get(term)?.postings.size ?? 0;
  }

  function inverseDocumentFrequency(term: string): number {
    const frequency = documentFrequency(term);
    return Math.log(1 + (passageCount - frequency + 0.5) / (frequency + 0.5));
  }

  /** Adds up the scores of every passage that has one of the terms; answers their slots. */
  function accumulate(query: readonly string[]): number[] {
    const touched: number[] = [];
    const averageLength = totalLength / passageCount;
    for (const text of query) {
      const postings = terms.get(text)?.postings;
      if (!postings) continue;
      const weight = inverseDocumentFrequency(text) * (k1 + 1);
      for (let index = 0; index < postings.size; index += 1) {
        const entry = postings.entries[index] ?? 0;
        const slot = slotOf(entry);
        const frequency = frequencyOf(entry);
        const relativeLength = (slots[slot]?.weightedLength ?? 0) / averageLength;
        if (scores[slot] === 0) touched.push(slot);
        scores[slot] =
          (scores[slot] ?? 0) + (weight * frequency) / (frequency + k1 * (1 - b + b * relativeLength));
      }
    }
    return touched;
  }

  return {
    add({ passage, head, body }) {
      const slot = freeSlots.pop() ?? slots.length;
      const numbers = Uint32Array.from([...head, ...body], (text) => termFor(text).number);
      const weightedLength = numbers.length + (headWeight - 1) * head.length;
      slots[slot] = { passage, terms: numbers, headLength: head.length, weightedLength };
      for (const [number, frequency] of weightedFrequencies(numbers, head.length)) {
        const term = termsByNumber[number];
        if (term) addPosting(term.postings, slot, frequency);
      }
      passageCount += 1;
      totalLength += weightedLength;
      if (slot >= scores.length) scores = new Float64Array(scores.length * 2);
      return slot;
    },
    remove(slot) {
      const removed = slots[slot];
      if (!removed) return;
      for (const number of new Set(removed.terms)) {
        const term = termsByNumber[number];
        if (!term) continue;
        removePosting(term.postings, slot);
        if (term.postings.size === 0) forget(term);
      }
      passageCount -= 1;
      totalLength -= removed.weightedLength;
      slots[slot] = undefined;
      freeSlots.push(slot);
    },
    search(query, limit) {
      const touched = accumulate(query);
      const least = nthLargest(
        Float64Array.from(touched, (slot) => scores[slot] ?? 0),
        limit,
      );
      const found: ScoredPassage[] = [];
      for (const slot of touched) {
        const score = scores[slot] ?? 0;
        scores[slot] = 0;
        const hit = slots[slot];
        if (hit && score >= least) found.push({ passage: hit.passage, terms: hit.terms, score });
      }
      return found.sort(byScore).slice(0, limit);
    },
    numberOf: (term) => terms.get(term)?.number,
    documentFrequency,
    vocabularySize: () => terms.size,
    rarity: (term) => Math.log(1 + passageCount / Math.max(1, documentFrequency(term))),
  };
}

/** Order of ranked passages: score, then row key and ordinal, so that equal scores never depend on chance. */
export function byScore(left: ScoredPassage, right: ScoredPassage): number {
  if (left.score !== right.score) return right.score - left.score;
  if (left.passage.rowKey !== right.passage.rowKey)
    return left.passage.rowKey < right.passage.rowKey ? -1 : 1;
  return left.passage.ordinal - right.passage.ordinal;
}

function nthLargest(values: Float64Array, n: number): number {
  return values.length <= n ? 0 : (values.sort()[values.length - n] ?? 0);
}

function weightedFrequencies(numbers: Uint32Array, headLength: number): Map<number, number> {
  const frequencies = new Map<number, number>();
  for (const [index, number] of numbers.entries()) {
    frequencies.set(number, (frequencies.get(number) ?? 0) + (index < headLength ? headWeight : 1));
  }
  return frequencies;
}
