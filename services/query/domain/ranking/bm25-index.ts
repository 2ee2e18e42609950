import type { IndexedPassage } from '../passages/passage.ts';
import { headWeight, saturated } from './bm25.ts';
import { itemTotals } from './item-totals.ts';
import { nthLargest } from './nth-largest.ts';
import { addPosting, headFrequencyOf, removePosting, slotOf, textFrequencyOf } from './posting-list.ts';
import { byScore, type ScoredPassage } from './scored-passage.ts';
import { createTermDictionary, type Term, type VocabularyListener } from './term-dictionary.ts';

/** Weight of the text of the whole item beside its passage: what an item is about is said all over it. */
const itemWeight = 0.3;

/** Grown by doubling: a service may hold thousands of teams of a few notes each. */
const firstCapacity = 16;

/** A passage with the terms of its head (title and headings) and of its text, in order. */
export interface AnalyzedPassage {
  passage: IndexedPassage;
  head: readonly string[];
  body: readonly string[];
}

/** An exact, incremental BM25 over the passages of one view. */
export interface Bm25Index {
  /** Adds a passage and answers its slot, by which it is removed. */
  add(analyzed: AnalyzedPassage): number;
  remove(slot: number): void;
  /** Best passages for these terms by score, then row key, then ordinal. */
  search(terms: readonly string[], limit: number): ScoredPassage[];
  /** The passage of a slot, scored 0; undefined where it was removed. */
  at(slot: number): ScoredPassage | undefined;
  /** The number of a term in `ScoredPassage.terms`; undefined where no passage has it. */
  numberOf(term: string): number | undefined;
  /** In how many passages a term occurs. */
  documentFrequency(term: string): number;
  /** Different terms in use. */
  vocabularySize(): number;
  /** Characters of these terms. */
  vocabularyLength(): number;
  /** What a term adds to the score of a passage of this length that has it so often. */
  termScore(term: string, frequency: number, relativeLength: number): number;
  /**
   * How telling a term is, above 0: ln(1 + passages / passages with it). Other
   * than BM25's own weight it stays clear of 0 where few passages share most
   * words; a term that no passage has counts as if one had it.
   */
  rarity(term: string): number;
}

interface Slot {
  passage: IndexedPassage;
  terms: Uint32Array;
  headLength: number;
}

/** Makes an empty index; words that come into use and fall out of use are told to the listeners. */
export function createBm25Index(listeners: readonly VocabularyListener[]): Bm25Index {
  const terms = createTermDictionary(listeners);
  const slots: (Slot | undefined)[] = [];
  const freeSlots: number[] = [];
  const items = itemTotals();
  /** By slot: terms of text and head, those of the head counted by their weight. */
  let lengths = new Float64Array(firstCapacity);
  /** By slot: the number of its item. */
  let itemOf = new Uint32Array(firstCapacity);
  /** By slot, all 0 between searches. */
  let scores = new Float64Array(firstCapacity);
  let passageCount = 0;
  let totalLength = 0;

  function documentFrequency(term: string): number {
    return terms.find(term)?.postings.size ?? 0;
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
      const postings = terms.find(text)?.postings;
      if (!postings) continue;
      const weight = inverseDocumentFrequency(text);
      for (let index = 0; index < postings.size; index += 1) {
        const entry = postings.entries[index] ?? 0;
        const slot = slotOf(entry);
        const inText = textFrequencyOf(entry);
        const frequency = inText + headWeight * headFrequencyOf(entry);
        const relativeLength = (lengths[slot] ?? 0) / averageLength;
        if (scores[slot] === 0) touched.push(slot);
        scores[slot] = (scores[slot] ?? 0) + weight * saturated(frequency, relativeLength);
        items.count(itemOf[slot] ?? 0, inText);
      }
      items.addScores(
        (frequency, relativeLength) => itemWeight * weight * saturated(frequency, relativeLength),
      );
    }
    return touched;
  }

  /** How often each term occurs; writes their numbers, in order. */
  function frequenciesOf(texts: readonly string[], numbers: Uint32Array): Map<Term, number> {
    const frequencies = new Map<Term, number>();
    for (let index = 0; index < texts.length; index += 1) {
      const term = terms.use(texts[index] ?? '');
      numbers[index] = term.number;
      frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    }
    return frequencies;
  }

  function makeRoomFor(slot: number): void {
    if (slot < scores.length) return;
    const capacity = 2 * scores.length;
    scores = new Float64Array(capacity);
    const [shortLengths, shortItemOf] = [lengths, itemOf];
    lengths = new Float64Array(capacity);
    lengths.set(shortLengths);
    itemOf = new Uint32Array(capacity);
    itemOf.set(shortItemOf);
  }

  return {
    add({ passage, head, body }) {
      const slot = freeSlots.pop() ?? slots.length;
      makeRoomFor(slot);
      const numbers = new Uint32Array(head.length + body.length);
      const inHead = frequenciesOf(head, numbers.subarray(0, head.length));
      const inBody = frequenciesOf(body, numbers.subarray(head.length));
      for (const [term, text] of inBody)
        addPosting(term.postings, slot, { head: inHead.get(term) ?? 0, text });
      for (const [term, count] of inHead)
        if (!inBody.has(term)) addPosting(term.postings, slot, { head: count, text: 0 });
      itemOf[slot] = items.add(passage.rowKey, body.length);
      slots[slot] = { passage, terms: numbers, headLength: head.length };
      lengths[slot] = body.length + headWeight * head.length;
      passageCount += 1;
      totalLength += lengths[slot] ?? 0;
      return slot;
    },
    remove(slot) {
      const removed = slots[slot];
      if (!removed) return;
      for (const number of new Set(removed.terms)) {
        const term = terms.byNumber(number);
        if (!term) continue;
        removePosting(term.postings, slot);
        if (term.postings.size === 0) terms.forget(term);
      }
      items.remove(removed.passage.rowKey, removed.terms.length - removed.headLength);
      passageCount -= 1;
      totalLength -= lengths[slot] ?? 0;
      slots[slot] = undefined;
      freeSlots.push(slot);
    },
    search(query, limit) {
      const touched = accumulate(query);
      const averageLength = totalLength / passageCount;
      const values = new Float64Array(touched.length);
      for (let index = 0; index < touched.length; index += 1) {
        const slot = touched[index] ?? 0;
        values[index] = (scores[slot] ?? 0) + items.scoreOf(itemOf[slot] ?? 0);
        scores[slot] = 0;
      }
      items.clearScores();
      const least = nthLargest(values, limit);
      const found: ScoredPassage[] = [];
      for (const [index, slot] of touched.entries()) {
        const score = values[index] ?? 0;
        const hit = slots[slot];
        if (!hit || score < least) continue;
        const relativeLength = (lengths[slot] ?? 0) / averageLength;
        found.push({ ...hit, score, slot, relativeLength });
      }
      return found.sort(byScore).slice(0, limit);
    },
    at(slot) {
      const hit = slots[slot];
      const relativeLength = ((lengths[slot] ?? 0) * passageCount) / totalLength;
      return hit && { ...hit, score: 0, slot, relativeLength };
    },
    numberOf: (term) => terms.find(term)?.number,
    documentFrequency,
    vocabularySize: terms.size,
    vocabularyLength: terms.length,
    termScore: (term, frequency, relativeLength) =>
      inverseDocumentFrequency(term) * saturated(frequency, relativeLength),
    rarity: (term) => Math.log(1 + passageCount / Math.max(1, documentFrequency(term))),
  };
}
