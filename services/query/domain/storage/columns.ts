import type { MemoryBudget } from './memory-budget.ts';

/** The kinds of numbers that a column can have. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

interface NumbersOf<Values extends Numbers> {
  new (buffer: ArrayBuffer): Values;
  new (length: number): Values;
  readonly BYTES_PER_ELEMENT: number;
}

/** Numbers by row, all 0 at first. */
export interface Column<Values extends Numbers = Numbers> {
  /** Another array after each growth. */
  values: Values;
  /** Makes room for so many rows. @throws OutOfMemoryBudget, with the values as they were. */
  ensure(rows: number): void;
}

/** The columns of one index, which are counted, saved and released together. */
export interface Columns {
  add<Values extends Numbers>(type: NumbersOf<Values>): Column<Values>;
  /** The same for one that can be made again from the others, or is empty between searches. */
  addUnsaved<Values extends Numbers>(type: NumbersOf<Values>): Column<Values>;
  /** Those to be saved, in the order in which they were added. */
  saved(): readonly Column[];
  /** Frees the memory at once, without waiting for the garbage collector. Nothing may be used any more. */
  release(): void;
}

/** Rows of a column's first allocation: a service may hold thousands of teams of a few notes each. */
const firstRows = 16;
/** Old and new array are both there while the rows are copied, so that growing by half takes less room than doubling. */
const growth = 1.5;

const empty = new Map<unknown, Numbers>();

/** The one array without rows of a type: most teams have columns that stay empty. */
function emptyOf<Values extends Numbers>(type: NumbersOf<Values>): Values {
  return empty.getOrInsertComputed(type, () => new type(0)) as Values;
}

/** Makes a set of columns whose bytes are taken from `budget` before they are allocated, old and new ones while a column grows. */
export function createColumns(budget: MemoryBudget): Columns {
  const columns: Column[] = [];
  const saved: Column[] = [];

  function createColumn<Values extends Numbers>(type: NumbersOf<Values>): Column<Values> {
    const column: Column<Values> = {
      values: emptyOf(type),
      ensure(rows) {
        const { buffer, length, byteLength } = column.values;
        if (rows <= length) return;
        const bytes = Math.ceil(Math.max(rows, firstRows, length * growth)) * type.BYTES_PER_ELEMENT;
        budget.take(bytes);
        // Frees the old buffer at once; garbage would count for nobody and be there all the same.
        const moved = length === 0 ? new ArrayBuffer(bytes) : (buffer as ArrayBuffer).transfer(bytes);
        column.values = new type(moved);
        budget.give(byteLength);
      },
    };
    return column;
  }

  function addUnsaved<Values extends Numbers>(type: NumbersOf<Values>): Column<Values> {
    const column = createColumn(type);
    columns.push(column);
    return column;
  }

  return {
    add(type) {
      const column = addUnsaved(type);
      saved.push(column);
      return column;
    },
    addUnsaved,
    saved: () => saved,
    release() {
      for (const { values } of columns) {
        budget.give(values.byteLength);
        if (values.length > 0) (values.buffer as ArrayBuffer).transfer(0);
      }
      columns.length = 0;
    },
  };
}
