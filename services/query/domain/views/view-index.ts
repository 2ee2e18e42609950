import { noFields } from '../passages/fields.ts';
import type { IndexedPassage, ItemPassages, Passage } from '../passages/passage.ts';
import { publicKeyOf } from '../passages/passage.ts';
import type { AnalyzedPassage } from '../ranking/analyzed-passage.ts';
import { type Bm25State, createBm25Index } from '../ranking/bm25-index.ts';
import { inOrderOfTime, maxComparedPassages } from '../ranking/currency.ts';
import { evidenceOf } from '../ranking/evidence.ts';
import { newestEntries } from '../ranking/newest-entry.ts';
import { maxSlots } from '../ranking/posting-lists.ts';
import { rerank, rerankedPassages } from '../ranking/rerank.ts';
import {
  byScore,
  type PassagePlace,
  type RankedPassage,
  type ScoredPassage,
} from '../ranking/scored-passage.ts';
import { otherTerm } from '../ranking/term-sequences.ts';
import type { WantedTerms } from '../ranking/wanted-terms.ts';
import type { KeptRow, Row } from '../rows/row.ts';
import { type ArenaState, createBlockArena } from '../storage/block-arena.ts';
import { createColumns } from '../storage/columns.ts';
import { type MemoryBudget, OutOfMemoryBudget } from '../storage/memory-budget.ts';
import type { WordTableState } from '../storage/word-table.ts';
import { analyze } from '../text/analyzer.ts';
import type { Language } from '../text/languages.ts';
import { fuse, type Neighbourhood } from '../vectors/fusion.ts';
import { createVectorIndex, type VectorIndex, type VectorIndexState } from '../vectors/vector-index.ts';
import { weighedByAgreement } from './agreement.ts';
import { createItemTable, type ItemTable } from './item-table.ts';
import { createPassageTable, type PassageTableState } from './passage-table.ts';
import { createRowTable, type RowTable, type RowTableState } from './row-table.ts';
import { hasFormInView, inOtherWords, wantedInView } from './wanted-in-view.ts';

/** Passages of which one must have enough of a question; the right one is almost always among them. */
const passagesLookedAt = 5;
/** If the best evidence is less, synonyms are searched for too. */
const enoughEvidence = 0.5;
/** A word that one passage has takes some 32 bytes: a vocabulary of invented words may take a quarter of the memory. */
const bytesPerWordOfVocabulary = 128;
/** Passages at the beginning and at the end of a log among which its newest entry is looked for. */
const logEnd = 150;
const dayLength = 'YYYY-MM-DD'.length;
/** Passages leave the rest to the records of items, so that it is known what is not indexed. */
const partForPassages = 15 / 16;
/** Rows may take this part of a view, so that no log of tasks keeps passages out, nor a question for a list busy. */
const partForRows = 1 / 8;
/** An index that lacks passages is built anew when no more than this is left of what it had. */
const partWorthRebuilding = 3 / 4;

/** A question and what was found for it in one view; of use only while the view stays as it is. */
export interface Findings {
  question: string;
  wanted: WantedTerms;
  /** Passages, best first. */
  passages: readonly ScoredPassage[];
  /** Whether vectors had a part in that, so that passages may share no word with the question. */
  byMeaning: boolean;
  /** The terms of a text of this language (`IndexedPassage.language`) as numbers of this view, in order. */
  numbersOf(text: string, language?: Language): number[];
  /** As of `AskedWords`. */
  hasFormOf(word: string, language?: Language): boolean;
  /** Another passage of the item of a passage; undefined where it has none of this ordinal. */
  passageBeside(hit: ScoredPassage, ordinal: number): IndexedPassage | undefined;
}

/** How a question is asked. */
export interface SearchOptions {
  /** The question as a vector, where it has one. */
  vector?: Float32Array | undefined;
  /** The day on which it is asked (UTC), YYYY-MM-DD; the present one where it is left out. */
  today?: string | undefined;
}

/** How much of what a view has can be searched. */
export interface Coverage {
  passages: number;
  /** Those that are not indexed, or only by some of their words, and rows that are not kept, for want of memory. */
  missing: number;
}

/**
 * All that is known to one view, and nothing else: passages, document
 * frequencies, lengths, vocabulary, memory. What a view may not see was never
 * put into it, so nothing that it answers can hint at it.
 */
export interface ViewIndex {
  items: ItemTable;
  /**
   * Adds an item that it does not have, without its passages, whose terms are to be of this language, and returns its
   * number; -1 where there is no room, which is counted. Throws OutOfMemoryBudget where the memory that all share is used up.
   */
  addItem(item: ItemPassages, language?: Language): number;
  /** Adds a passage of an item; one that finds no room is counted. Throws as `addItem`. */
  addPassage(item: number, passage: Passage, analyzed: AnalyzedPassage): void;
  /** Takes an item out, in steps of a passage each. */
  removing(item: number): Generator<void>;
  /** The tasks, decisions and projects that the view has, to be added by `addRow`. */
  rowTable: Pick<RowTable, 'find' | 'remove' | 'all'>;
  /** Adds a row that it does not have; one that finds no room is counted. Throws as `addItem`. */
  addRow(row: KeptRow): void;
  /**
   * Tasks, decisions and projects, in no order, each read when it is asked for: of many, callers yield between. Of use
   * only while the view stays as it is.
   */
  rows(): Iterable<Row>;
  /** The slot of a passage of an item; undefined where it has none. */
  slotOf(item: number, ordinal: number): number | undefined;
  /** Whether a passage of an item has no vector. */
  lacksVectors(item: number): boolean;
  /** The present passages of an item. */
  passagesOf(item: number): { slot: number; passage: IndexedPassage }[];
  /** How many passages an item has, and how many of them are found; of a key that is no item's, none. */
  indexedItem(rowKey: string): { passages: number; searchable: number; partlySearchable: number };
  /** The vectors of the passages, as far as they have them, by slot. */
  vectors: VectorIndex;
  /**
   * Ranks passages for a question; words that this view never uses are taken for
   * the nearest it does. What lies near its vector counts too, where it has one, and times as `inOrderOfTime` tells.
   * In steps of some milliseconds, between which the view must stay as it is.
   */
  searching(question: string, limit: number, options?: SearchOptions): Generator<void, Findings>;
  /** The same at once. */
  search(question: string, limit: number, options?: SearchOptions): Findings;
  passageCount(): number;
  coverage(): Coverage;
  /** Whether so much was removed since a passage found no room that the index is worth building anew. */
  hasRoomAgain(): boolean;
  /** Memory in use. */
  bytes(): number;
  /** Returns the content of the view, to be written at once. */
  snapshot(): { state: ViewState; parts: Uint8Array[] };
  /**
   * Makes room in an empty view for what a snapshot has; returns the parts, to be filled before `restored`.
   * @throws OutOfMemoryBudget where there is no room; the view must be released then.
   */
  prepare(state: ViewState): Uint8Array[];
  /** Ends what `prepare` began. */
  restored(state: ViewState): void;
  /** Frees the memory at once. Nothing may be used any more. */
  release(): void;
}

/** The state of a view except its arrays. */
export interface ViewState {
  /** Rows of each column, in order. */
  rows: number[];
  /** Words of each chunk of the arena. */
  chunkWords: number[];
  arena: ArenaState;
  items: WordTableState;
  passages: PassageTableState;
  rowTable: RowTableState;
  index: Bm25State;
  vectors: VectorIndexState;
  counts: { unrecorded: number; skipped: number; partly: number; usedWhenFull: number };
}

/** Makes an empty view that takes its memory from `budget`. */
export function createViewIndex(budget: MemoryBudget): ViewIndex {
  const arena = createBlockArena(budget);
  const columns = createColumns(budget);
  const items = createItemTable(arena, columns);
  const passages = createPassageTable(arena, columns);
  const rowTable = createRowTable(arena, columns);
  const index = createBm25Index(arena, columns, Math.floor(budget.maxBytes / bytesPerWordOfVocabulary));
  const vectors = createVectorIndex(arena, columns);
  /** Rows, and passages of items of which not even a record found room; known again when the index is built anew. */
  let unrecorded = 0;
  let skipped = 0;
  let partly = 0;
  /** What was in use when a passage, or one of its words, last found no room. */
  let usedWhenFull = 0;

  function usedBytes(): number {
    return budget.taken() - 4 * arena.state().freeWords;
  }

  function parts(): Uint8Array[] {
    const arrays = [
      ...columns.saved().map(({ values }) => values),
      ...arena.chunks().map(({ words }) => words),
    ];
    return arrays.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  }

  /** Whether something found room; throws OutOfMemoryBudget where it is the shared memory that is used up. */
  function findsRoom(reserve: () => void): boolean {
    try {
      reserve();
      return true;
    } catch (error) {
      if (error instanceof OutOfMemoryBudget && error.budget === budget) return false;
      throw error;
    }
  }

  function countMissing(item: number, more: { skipped: number; partly: number }): void {
    const known = items.missing(item);
    items.setMissing(item, { skipped: known.skipped + more.skipped, partly: known.partly + more.partly });
    skipped += more.skipped;
    partly += more.partly;
    if (more.skipped + more.partly > 0) usedWhenFull = usedBytes();
  }

  function passageAt(slot: number): IndexedPassage {
    const item = passages.itemOf(slot);
    const tier = items.isExternal(item) ? 'external' : 'team';
    const [rowKey, title] = [items.rowKeyOf(item), items.titleOf(item)];
    const [kind, fields] = [items.kindOf(item), items.fieldsOf(item)];
    const language = items.languageOf(item);
    return { rowKey, title, tier, kind, fields, language, ...passages.read(slot) };
  }

  /** The slots of an item's passages, the newest first. */
  function slotsOf(item: number): number[] {
    const slots: number[] = [];
    for (let next = items.firstSlot(item); next !== 0; next = passages.following(next - 1))
      slots.push(next - 1);
    return slots;
  }

  function slotOf(item: number, ordinal: number): number | undefined {
    let next = items.firstSlot(item);
    while (next !== 0 && passages.ordinalOf(next - 1) !== ordinal) next = passages.following(next - 1);
    return next === 0 ? undefined : next - 1;
  }

  function placeOf(slot: number): PassagePlace {
    return { rowKey: items.rowKeyOf(passages.itemOf(slot)), ordinal: passages.ordinalOf(slot) };
  }

  function rowOf({ sourceKey, heading, writerId: _, ...row }: KeptRow): Row {
    return {
      ...row,
      // Of many rows, only few are asked for it.
      get source() {
        const item = items.find(sourceKey);
        const rowKey = publicKeyOf(sourceKey);
        if (item < 0) return { rowKey, title: rowKey, heading };
        const isByGuest = items.fieldsOf(item).isByGuest;
        return { rowKey, title: items.titleOf(item), heading, ...(isByGuest && { isByGuest }) };
      },
    };
  }

  /** The best by words, by score, row key and ordinal. */
  function* byWords(wanted: WantedTerms, limit: number): Generator<void, RankedPassage[]> {
    const found = yield* index.searching(wanted.telling, limit);
    const placed = found.map((ranked) => ({ ...ranked, ...placeOf(ranked.slot) }));
    const best = placed.sort(byScore).slice(0, limit);
    const candidates = best.map((ranked) => ({ ...ranked, ...index.termsOf(ranked.slot) }));
    yield;
    return rerank(wanted, candidates);
  }

  /** The same, by other words for the same too where the question's own find too little. */
  function* byWordsForTheSame(
    question: string,
    limit: number,
  ): Generator<void, { wanted: WantedTerms; ranked: RankedPassage[] }> {
    const words = { index, languages: items.languages() };
    const wanted = yield* wantedInView(question, words);
    const ranked = yield* byWords(wanted, limit);
    const isEnough = ranked
      .slice(0, passagesLookedAt)
      .some((hit) => evidenceOf(hit, wanted) >= enoughEvidence);
    if (isEnough) return { wanted, ranked };
    const widened = yield* inOtherWords(question, wanted, words);
    if (widened === undefined) return { wanted, ranked };
    const found = { wanted: widened, ranked: yield* byWords(widened, limit) };
    return weighedByAgreement(wanted, found, index);
  }

  /** What lies near the vector of a question, at least `limit` passages of it; undefined where vectors tell nothing. */
  function* near(vector: Float32Array, limit: number): Generator<void, Neighbourhood | undefined> {
    const nearest = yield* vectors.nearest(vector, limit);
    return nearest && { ...nearest, coverage: Math.min(1, vectors.size() / index.passageCount()) };
  }

  function* searching(
    question: string,
    limit: number,
    { vector, today = new Date().toISOString().slice(0, dayLength) }: SearchOptions = {},
  ): Generator<void, Findings> {
    const maxCandidates = Math.max(limit, rerankedPassages);
    const nearby = vector && (yield* near(vector, maxCandidates));
    const { wanted, ranked } = yield* byWordsForTheSame(question, maxCandidates);
    const at = (slot: number) => ({ slot, score: 0, ...placeOf(slot), ...index.termsOf(slot) });
    const best = (nearby ? fuse(ranked, nearby, at) : ranked).slice(0, Math.max(limit, maxComparedPassages));
    yield;
    const numbersOf = (text: string, language?: Language) =>
      analyze(text, language).map((term) => index.numberOf(term) ?? otherTerm);
    const hasFormOf = (word: string, language?: Language) => hasFormInView(word, index, language);
    const withTexts = best.map((hit) => ({ ...hit, passage: passageAt(hit.slot) }));
    const passageBeside = (hit: ScoredPassage, ordinal: number) => {
      const slot = slotOf(passages.itemOf(hit.slot), ordinal);
      return slot === undefined ? undefined : passageAt(slot);
    };
    const byMeaning = nearby !== undefined;
    const ofItem = (hit: ScoredPassage) => {
      const slots = slotsOf(passages.itemOf(hit.slot)).reverse();
      const ends = slots.length <= 2 * logEnd ? slots : [...slots.slice(0, logEnd), ...slots.slice(-logEnd)];
      return ends.map((slot) => ({ slot, passage: passageAt(slot) }));
    };
    const newest = newestEntries(withTexts, { wanted, question, today }, ofItem);
    if (newest) return { ...newest, byMeaning, numbersOf, hasFormOf, passageBeside };
    const inOrder = inOrderOfTime(withTexts, wanted, { question, today });
    const shown = { ...inOrder, passages: inOrder.passages.slice(0, limit) };
    return { ...shown, byMeaning, numbersOf, hasFormOf, passageBeside };
  }

  return {
    items,
    vectors,
    addItem({ rowKey, title, seq, tier, kind = 'item', fields = noFields, passages: all }, language = 'en') {
      let item = -1;
      const isAdded = findsRoom(() => {
        item = items.add({ rowKey, title, seq, isExternal: tier === 'external', kind, fields, language });
      });
      if (!isAdded) {
        unrecorded += all.length;
        usedWhenFull = usedBytes();
      }
      return item;
    },
    rowTable,
    addRow(row) {
      const isFull =
        rowTable.bytes() > partForRows * budget.maxBytes ||
        budget.taken() > partForPassages * budget.maxBytes;
      if (!isFull && findsRoom(() => rowTable.add(row))) return;
      unrecorded += 1;
      usedWhenFull = usedBytes();
    },
    rows: () => rowTable.all().map(rowOf),
    addPassage(item, passage, analyzed) {
      const encoded = passages.encode(passage);
      const slot = passages.nextSlot();
      const planned = index.plan(analyzed);
      const isFull = slot >= maxSlots || budget.taken() > partForPassages * budget.maxBytes;
      const reserve = () => {
        passages.reserve();
        index.reserve(planned, slot, item);
        arena.reserve(planned.words + passages.wordsFor(encoded));
      };
      if (isFull || !findsRoom(reserve)) {
        countMissing(item, { skipped: 1, partly: 0 });
        return;
      }
      if (planned.partly) countMissing(item, { skipped: 0, partly: 1 });
      passages.add(item, encoded, items.firstSlot(item));
      items.setFirstSlot(item, slot + 1);
      index.add(slot, item, analyzed);
    },
    *removing(item) {
      const missing = items.missing(item);
      countMissing(item, { skipped: -missing.skipped, partly: -missing.partly });
      const slots = slotsOf(item);
      yield* index.removing(slots);
      for (const slot of slots) {
        vectors.remove(slot);
        passages.remove(slot);
        yield;
      }
      items.remove(item);
    },
    slotOf,
    lacksVectors(item) {
      let next = items.firstSlot(item);
      while (next !== 0 && vectors.has(next - 1)) next = passages.following(next - 1);
      return next !== 0;
    },
    passagesOf(item) {
      const slots = slotsOf(item).reverse();
      return slots.map((slot) => ({ slot, passage: passageAt(slot) }));
    },
    indexedItem(rowKey) {
      const item = items.find(rowKey);
      // Decisions and projects stand in the same table, under keys that no item has.
      if (item < 0 || items.kindOf(item) !== 'item')
        return { passages: 0, searchable: 0, partlySearchable: 0 };
      const missing = items.missing(item);
      const found = slotsOf(item).length;
      return {
        passages: found + missing.skipped,
        searchable: found - missing.partly,
        partlySearchable: missing.partly,
      };
    },
    searching,
    search(question, limit, options) {
      const steps = searching(question, limit, options);
      for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
      }
    },
    passageCount: index.passageCount,
    coverage: () => {
      return {
        passages: index.passageCount() + skipped + unrecorded,
        missing: skipped + partly + unrecorded,
      };
    },
    hasRoomAgain: () => skipped + partly + unrecorded > 0 && usedBytes() < partWorthRebuilding * usedWhenFull,
    bytes: budget.taken,
    snapshot() {
      const state: ViewState = {
        rows: columns.saved().map(({ values }) => values.length),
        chunkWords: arena.chunks().map(({ words }) => words.length),
        arena: arena.state(),
        items: items.state(),
        passages: passages.state(),
        rowTable: rowTable.state(),
        index: index.state(),
        vectors: vectors.state(),
        counts: { unrecorded, skipped, partly, usedWhenFull },
      };
      return { state, parts: parts() };
    },
    prepare({ rows, chunkWords, arena: arenaState }) {
      for (const [place, column] of columns.saved().entries()) column.ensure(rows[place] ?? 0);
      arena.restore(arenaState, chunkWords);
      return parts();
    },
    restored(state) {
      items.restore(state.items);
      passages.restore(state.passages);
      rowTable.restore(state.rowTable);
      index.restore(state.index);
      vectors.restore(state.vectors);
      ({ unrecorded, skipped, partly, usedWhenFull } = state.counts);
    },
    release() {
      columns.release();
      arena.release();
    },
  };
}
