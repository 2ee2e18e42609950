import { AppError } from '@teammemory/errors/app-error.ts';
import { defaultPageRows, maxPageRows } from '@teammemory/vocabulary/limits.ts';

/** The error for one field that breaks its rule; `pointer` is a JSON Pointer such as `/slug`. */
export function invalidRequest(pointer: string, detail: string): AppError {
  return new AppError('invalid_request', `${pointer.slice(1)}: ${detail}`, {
    violations: [{ pointer, detail }],
  });
}

/** Some rows of a list, in its order. */
export interface Page<Row> {
  rows: Row[];
  /** Whether more rows follow the last one. */
  hasMore: boolean;
}

/**
 * Reads one page. `requested` is the number of rows wanted, 0 for the default;
 * more than the maximum is taken as the maximum. `read` returns up to as many
 * rows as it is told: one more than the page, which shows whether another follows.
 */
export async function readPage<Row>(
  requested: number,
  read: (limit: number) => Promise<Row[]>,
): Promise<Page<Row>> {
  const size = Math.min(requested || defaultPageRows, maxPageRows);
  const rows = await read(size + 1);
  return { rows: rows.slice(0, size), hasMore: rows.length > size };
}
