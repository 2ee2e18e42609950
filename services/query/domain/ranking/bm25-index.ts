import type { BlockArena } from '../storage/block-arena.ts';
import type { Columns } from '../storage/columns.ts';
import { createWordTable, type WordTable, type WordTableState } from '../storage/word-table.ts';
import type { AnalyzedPassage } from './analyzed-passage.ts';
import { createItemTotals, type ItemTotalsState } from './item-totals.ts';
import { createPostingLists, headFrequencyOf, slotOf, textFrequencyOf } from './posting-lists.ts';
import { headWeight, nthLargest, saturated } from './scoring.ts';
import { createTermNumbers, unknownTerm } from './term-numbers.ts';
import {
  freeSequence,
  maxBytesPerTerm,
  readSequence,
  sequenceBytes,
  sequenceWords,
  writeSequence,
} from './term-sequences.ts';
import type { WantedTerm } from './wanted-terms.ts';

/** Weight of the text of the whole item beside its passage: what an item is about is said all over it. */
const itemWeight = 0.3;
/**
 * How soon a word that a question repeats counts no more, as k3 of Robertson and Zaragoza; 7 or 8 did well for the long
 * topics of TREC.
 */
const k3 = 8;
/**
 * Words of everyday English weigh less than names that are as frequent in the view: beside one name, a question has many.
 * 0.2 and 0.4 do equally well.
 */
const rarityExponent = 0.2;
/** Entries of posting lists gone through before other work gets its turn: about 2 ms. */
const entriesPerTurn = 250_000;

/** A passage found, by its slot. */
export interface RankedSlot {
  slot: number;
  score: number;
}

/** A term that is searched for. */
export type QueryTerm = Pick<WantedTerm, 'text' | 'times' | 'rarity' | 'alternatives'>;

/** The terms by which a passage is compared with a question. */
export interface PassageTerms {
  /** The terms of head and text, in order, as numbers of this index. */
  terms: Uint32Array;
  /** How many of them are of the head. */
  headLength: number;
  /** Its length as a multiple of the average. */
  relativeLength: number;
}

/** In place of the number of a term that the vocabulary does not have, and has no place for. */
const leftOut = -2;

/** The needs of adding a passage, worked out beforehand. */
export interface PlannedPassage {
  newWords: number;
  /** Some of its words find no place in the vocabulary. */
  partly: boolean;
  /** Words of the arena, at most. */
  words: number;
}

/** An exact, incremental BM25 over the passages of one view, by slot. */
export interface Bm25Index {
  /** The words that passages have. */
  vocabulary: WordTable;
  plan(passage: AnalyzedPassage): PlannedPassage;
  /** Makes sure of room in everything but the arena. Throws OutOfMemoryBudget. */
  reserve(planned: PlannedPassage, slot: number, item: number): void;
  /** Takes up the passage that was planned last, for which there must be room. */
  add(slot: number, item: number, passage: AnalyzedPassage): void;
  /**
   * Takes out passages, each list of a term being gone through once for all of them, in steps of some milliseconds.
   * Between steps, and after an error, the index must not be searched.
   */
  removing(slots: readonly number[]): Generator<void>;
  /**
   * Best slots for these terms, in no order: `limit`, with all that are as good as the last of them. Of a term and its
   * alternatives, each times its trust, the best counts. In steps of about 2 ms, between which the index must stay as
   * it is.
   */
  searching(terms: readonly QueryTerm[], limit: number): Generator<void, RankedSlot[]>;
  termsOf(slot: number): PassageTerms;
  /** The number of a term in `PassageTerms.terms`; undefined where no passage has it. */
  numberOf(term: string): number | undefined;
  /** In how many passages a term occurs. */
  documentFrequency(term: string): number;
  documentFrequencyOf(number: number): number;
  /**
   * How telling a term is, above 0: ln(1 + passages / passages with it). Other
   * than BM25's own weight it stays clear of 0 where few passages share most
   * words; a term that no passage has counts as if one had it.
   */
  rarity(term: string): number;
  passageCount(): number;
  state(): Bm25State;
  restore(state: Bm25State): void;
}

/** The state of an index except its columns and arena. */
export interface Bm25State {
  passageCount: number;
  totalLength: number;
  vocabulary: WordTableState;
  totals: ItemTotalsState;
}

/** By place among the different terms of the passage planned last: the number of each, `unknownTerm` or `leftOut`. */
let planned = new Int32Array(0);
/** Its sequence, as it is written. */
let numbers = new Int32Array(0);

/** Makes an empty index, which takes up `maxWords` different words at most. */
export function createBm25Index(arena: BlockArena, columns: Columns, maxWords: number): Bm25Index {
  const vocabulary = createWordTable(arena, columns);
  const termNumbers = createTermNumbers(vocabulary);
  const postings = createPostingLists(arena, columns);
  const totals = createItemTotals(columns);
  /** By slot: terms of text and head, those of the head counted by their weight. */
  const lengths = columns.add(Uint32Array);
  const headLengths = columns.add(Uint16Array);
  const sequences = columns.add(Uint32Array);
  const items = columns.add(Uint32Array);
  /** All 0 between searches. */
  const scores = columns.addUnsaved(Float64Array);
  let passageCount = 0;
  let totalLength = 0;

  function documentFrequency(term: string): number {
    const number = vocabulary.find(term);
    return number < 0 ? 0 : postings.size(number);
  }

  function weightOf(frequency: number): number {
    return Math.log(1 + (passageCount - frequency + 0.5) / (frequency + 0.5));
  }

  /** Adds up the scores of every passage that has one of the terms; returns their slots. */
  function* accumulating(query: readonly QueryTerm[]): Generator<void, number[]> {
    const touched: number[] = [];
    let entries = 0;
    for (const { text, times, rarity, alternatives } of query) {
      const ofTerm = documentFrequency(text);
      const repeated = (((k3 + 1) * times) / (k3 + times)) * rarity ** rarityExponent;
      // By slot: what it has got for this term. Few questions need it: it is not kept.
      const best = alternatives.length === 0 ? undefined : new Float32Array(scores.values.length);
      for (const form of [{ text, trust: 1 }, ...alternatives]) {
        const number = vocabulary.find(form.text);
        if (number < 0) continue;
        const size = postings.size(number);
        // A rare word for a frequent one must not count for more than that.
        addScores(number, repeated * form.trust * weightOf(Math.max(ofTerm, size)), touched, best);
        entries += size;
        if (entries < entriesPerTurn) continue;
        yield;
        entries = 0;
      }
    }
    return touched;
  }

  /** Adds a term of this weight to the scores of the passages that have it, as far as it exceeds `best`. */
  function addScores(
    number: number,
    weight: number,
    touched: number[],
    best: Float32Array | undefined,
  ): void {
    const averageLength = totalLength / passageCount;
    const { values: sums } = scores;
    const { values: ofLength } = lengths;
    const { values: itemOf } = items;
    postings.forEachRun(number, (words, from, to) => {
      for (let at = from; at < to; at += 1) {
        const entry = words[at] as number;
        const slot = slotOf(entry);
        const inText = textFrequencyOf(entry);
        const frequency = inText + headWeight * headFrequencyOf(entry);
        const relativeLength = (ofLength[slot] as number) / averageLength;
        let added = weight * saturated(frequency, relativeLength);
        if (best !== undefined) {
          const before = best[slot] as number;
          best[slot] = Math.max(before, added);
          added = Math.max(0, added - before);
        }
        if (sums[slot] === 0) touched.push(slot);
        sums[slot] = (sums[slot] as number) + added;
        totals.count(itemOf[slot] as number, inText);
      }
    });
    totals.addScores(
      (frequency, relativeLength) => itemWeight * weight * saturated(frequency, relativeLength),
    );
  }

  function relativeLengthOf(slot: number): number {
    return (lengths.values[slot] as number) / (totalLength / passageCount);
  }

  function termsOf(slot: number): PassageTerms {
    const headLength = headLengths.values[slot] as number;
    const count = (lengths.values[slot] as number) - (headWeight - 1) * headLength;
    const terms = readSequence(arena, sequences.values[slot] as number, count);
    return { terms, headLength, relativeLength: relativeLengthOf(slot) };
  }

  return {
    vocabulary,
    plan({ terms, termCount, sequence, length }) {
      if (planned.length < termCount) planned = new Int32Array(2 * termCount);
      let newWords = 0;
      let partly = false;
      let words = 0;
      for (let place = 0; place < termCount; place += 1) {
        const id = terms[place] as number;
        let number = termNumbers.numberOf(id);
        if (number !== unknownTerm) {
          const more = postings.wordsForOneMore(number);
          if (more > 0) words += arena.roundUp(more);
        } else if (vocabulary.size() + newWords >= maxWords) {
          partly = true;
          number = leftOut;
        } else {
          newWords += 1;
          words += arena.roundUp(termNumbers.wordsFor(id));
        }
        planned[place] = number;
      }
      let bytes = 0;
      for (let index = 0; index < length; index += 1) {
        const number = planned[sequence[index] as number] as number;
        bytes += number >= 0 ? sequenceBytes(number) : maxBytesPerTerm;
      }
      return { newWords, partly, words: words + arena.roundUp(sequenceWords(bytes)) };
    },
    reserve({ newWords }, slot, item) {
      vocabulary.reserve(newWords);
      postings.reserve(vocabulary.end() + newWords);
      totals.reserve(item + 1);
      for (const column of [lengths, headLengths, sequences, items, scores]) column.ensure(slot + 1);
    },
    add(slot, item, { terms, termCount, sequence, length, headLength, inHead, inText }) {
      for (let place = 0; place < termCount; place += 1) {
        if (planned[place] === leftOut) continue;
        if (planned[place] === unknownTerm) planned[place] = termNumbers.add(terms[place] as number);
        postings.add(planned[place] as number, slot, inHead[place] as number, inText[place] as number);
      }
      if (numbers.length < length) numbers = new Int32Array(2 * length);
      for (let index = 0; index < length; index += 1)
        numbers[index] = Math.max(-1, planned[sequence[index] as number] as number);
      const bodyLength = length - headLength;
      sequences.values[slot] = writeSequence(arena, numbers, length);
      headLengths.values[slot] = headLength;
      lengths.values[slot] = bodyLength + headWeight * headLength;
      items.values[slot] = item;
      totals.add(item, bodyLength);
      passageCount += 1;
      totalLength += lengths.values[slot] as number;
    },
    *removing(slots) {
      /** By term: how many of the passages have it. */
      const counts = new Map<number, number>();
      for (const slot of slots) {
        const { terms, headLength } = termsOf(slot);
        for (const number of new Set(terms))
          if (number < vocabulary.end()) counts.set(number, (counts.get(number) ?? 0) + 1);
        freeSequence(arena, sequences.values[slot] as number);
        totals.remove(items.values[slot] as number, terms.length - headLength);
        passageCount -= 1;
        totalLength -= lengths.values[slot] as number;
        yield;
      }
      const gone = new Set(slots);
      let entries = 0;
      for (const [number, count] of counts) {
        entries += postings.size(number);
        postings.remove(number, gone, count);
        if (postings.size(number) === 0) termNumbers.remove(number);
        if (entries < entriesPerTurn) continue;
        yield;
        entries = 0;
      }
    },
    *searching(query, limit) {
      const touched = yield* accumulating(query);
      const values = new Float64Array(touched.length);
      for (let index = 0; index < touched.length; index += 1) {
        const slot = touched[index] as number;
        values[index] = (scores.values[slot] as number) + totals.scoreOf(items.values[slot] as number);
        scores.values[slot] = 0;
      }
      totals.clearScores();
      const least = nthLargest(values, limit);
      const found: RankedSlot[] = [];
      for (let index = 0; index < touched.length; index += 1) {
        const score = values[index] as number;
        if (score >= least) found.push({ slot: touched[index] as number, score });
      }
      return found;
    },
    termsOf,
    numberOf(term) {
      const number = vocabulary.find(term);
      return number < 0 ? undefined : number;
    },
    documentFrequency,
    documentFrequencyOf: postings.size,
    rarity: (term) => Math.log(1 + passageCount / Math.max(1, documentFrequency(term))),
    passageCount: () => passageCount,
    state: () => {
      return { passageCount, totalLength, vocabulary: vocabulary.state(), totals: totals.state() };
    },
    restore(state) {
      ({ passageCount, totalLength } = state);
      vocabulary.restore(state.vocabulary);
      totals.restore(state.totals);
      scores.ensure(lengths.values.length);
    },
  };
}
