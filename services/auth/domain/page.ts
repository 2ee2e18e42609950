/** Some rows of a list, in its order. */
export interface Page<Row> {
  rows: Row[];
  /** Whether more rows follow the last one. */
  hasMore: boolean;
}

/** What a caller gets who does not say how much: one screen. */
const pageSizeDefault = 50;

/** Keeps an answer near 100 KB and a synchronous read below a millisecond. */
const pageSizeMax = 200;

/**
 * Reads one page. `requested` is the number of rows wanted, 0 for the default;
 * more than the maximum is taken as the maximum. `read` returns up to as many
 * rows as it is told: one more than the page, which shows whether another follows.
 */
export async function readPage<Row>(
  requested: number,
  read: (limit: number) => Promise<Row[]>,
): Promise<Page<Row>> {
  const size = Math.min(requested || pageSizeDefault, pageSizeMax);
  const rows = await read(size + 1);
  return { rows: rows.slice(0, size), hasMore: rows.length > size };
}
