import type { KeptRow, RowKind } from '../rows/row.ts';
import type { BlockArena } from '../storage/block-arena.ts';
import type { Columns } from '../storage/columns.ts';
import { encodeText, freeText, readText, writeText } from '../storage/text-block.ts';
import { createWordTable, type WordTableState } from '../storage/word-table.ts';

/** The tasks, decisions and projects of one view. */
export interface RowTable {
  /**
   * Adds a row that is not there.
   * @throws OutOfMemoryBudget where there is no room.
   */
  add(row: KeptRow): void;
  /** Removes a row if it is in the table. */
  remove(kind: RowKind, id: string): void;
  find(kind: RowKind, id: string): KeptRow | undefined;
  /** All rows, in no order, each read when it is asked for. */
  all(): Generator<KeptRow>;
  /** Bytes of the arena that rows take. */
  bytes(): number;
  state(): RowTableState;
  restore(state: RowTableState): void;
}

/** The state of a table except its columns and arena. */
export interface RowTableState {
  keys: WordTableState;
  words: number;
}

/** Makes an empty table. */
export function createRowTable(arena: BlockArena, columns: Columns): RowTable {
  const keys = createWordTable(arena, columns);
  /** Blocks of the rows; 0 for a number that stands for none. */
  const texts = columns.add(Uint32Array);
  let words = 0;

  function rowAt(number: number): KeptRow {
    const [kind, id] = keys.textOf(number).split('/', 2) as [RowKind, string];
    return { kind, id, ...decoded(readText(arena, texts.values[number] as number)) };
  }

  return {
    add(row) {
      const key = keyOf(row.kind, row.id);
      const text = encodeText(encoded(row));
      const needed = arena.roundUp(keys.wordsFor(key)) + arena.roundUp(text.words);
      keys.reserve(1);
      texts.ensure(keys.end() + 1);
      arena.reserve(needed);
      texts.values[keys.add(key)] = writeText(arena, text);
      words += needed;
    },
    remove(kind, id) {
      const key = keyOf(kind, id);
      const number = keys.find(key);
      if (number < 0) return;
      const text = texts.values[number] as number;
      words -= arena.roundUp(keys.wordsFor(key)) + arena.roundUp(encodeText(readText(arena, text)).words);
      freeText(arena, text);
      texts.values[number] = 0;
      keys.remove(number);
    },
    find(kind, id) {
      const number = keys.find(keyOf(kind, id));
      return number < 0 ? undefined : rowAt(number);
    },
    *all() {
      for (let number = 0; number < keys.end(); number += 1)
        if (texts.values[number] !== 0) yield rowAt(number);
    },
    bytes: () => 4 * words,
    state: () => ({ keys: keys.state(), words }),
    restore(state) {
      keys.restore(state.keys);
      ({ words } = state);
    },
  };
}

type RowText = Omit<KeptRow, 'kind' | 'id'>;

/** A row as text, without names, which would take as much as the rest. */
function encoded(row: RowText): string {
  const { title, tier, status, owner, due, project, tags, date, sourceKey, heading, writerId } = row;
  return JSON.stringify([
    ...[title, tier, status, owner, due, project, tags, date],
    ...[sourceKey, heading, ...(writerId === undefined ? [] : [writerId])],
  ]);
}

function decoded(text: string): RowText {
  const [title, tier, status, owner, due, project, tags, date, sourceKey, heading, writerId] =
    JSON.parse(text);
  return { title, tier, status, owner, due, project, tags, date, sourceKey, heading, writerId };
}

function keyOf(kind: RowKind, id: string): string {
  return `${kind}/${id}`;
}
