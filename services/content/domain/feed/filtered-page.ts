import { eventLoopTurns } from '@teammemory/async/event-loop-turns.ts';
import type { CursorScope } from './cursor.ts';
import type { FeedStore, PageRange, PageRow, PartOfFeed } from './feed-store.ts';

/** Which rows of a feed a reader wants, by what they say. */
export interface RowFilter {
  /** Filters that accept different rows have different names. A cursor is good for one of them. */
  name: string;
  /** Whether the reader wants the row with this public JSON. */
  accepts(json: Uint8Array): boolean;
}

/** Rows that are read at once, some milliseconds of SQLite's time, and bytes that end them. */
const chunk = { limit: 500, maxBytes: 1024 * 1024 };
/**
 * Chunks that a page looks through: a tenth of a second of a process's time, shared with others chunk by chunk. A chunk
 * has only rows that the reader sees, so the size of a page tells nothing of the others.
 */
const maxChunks = 20;

/**
 * Returns the rows of a range that a filter accepts, oldest first. Where few do, the page ends before its time: the next
 * one goes on from there without a hole.
 * @throws AppError `unavailable`.
 */
export async function acceptedRows(
  feed: FeedStore,
  { teamId, tier }: Pick<CursorScope, 'teamId' | 'tier'>,
  filter: RowFilter,
  range: PageRange,
): Promise<PartOfFeed> {
  const turn = eventLoopTurns();
  const rows: PageRow[] = [];
  let { afterMs } = range;
  let bytes = 0;
  for (let chunks = 0; chunks < maxChunks; chunks += 1) {
    // Removed rows say nothing, so no filter accepts them.
    const found = await feed.page(teamId, tier, { ...range, ...chunk, afterMs, includeDeleted: false });
    for (const row of found) {
      if (!filter.accepts(row.json)) continue;
      rows.push(row);
      bytes += row.json.length;
      if (rows.length === range.limit || bytes > range.maxBytes) return { rows, throughMs: row.atMs };
    }
    if (isLast(found)) return { rows, throughMs: range.untilMs };
    afterMs = found.at(-1)?.atMs ?? afterMs;
    await turn();
  }
  return { rows, throughMs: afterMs };
}

/** Whether the store had no more rows. */
function isLast(found: readonly PageRow[]): boolean {
  const bytes = found.reduce((sum, { json }) => sum + json.length, 0);
  return found.length < chunk.limit && bytes <= chunk.maxBytes;
}

/**
 * Returns a member of the JSON of a row, without parsing the rest; undefined if it is null. Only for names that the JSON
 * has once, and whose values contain nothing that JSON escapes: strings in JSON contain no unescaped quotes, so what
 * looks like the member is the member.
 */
export function textMember(
  json: Uint8Array,
  name: 'status' | 'owner' | 'due' | 'project',
): string | undefined {
  const row = Buffer.from(json.buffer, json.byteOffset, json.length);
  const opening = `"${name}":"`;
  const start = row.indexOf(opening);
  if (start === -1) return undefined;
  const from = start + opening.length;
  return row.toString('utf8', from, row.indexOf('"', from));
}
