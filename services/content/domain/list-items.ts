import { defaultPageRows, maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { CursorScope, Cursors } from './cursor.ts';
import type { FeedRow, ItemStore } from './item-store.ts';
import { jsonArray } from './json-array.ts';
import type { Tier } from './tier.ts';

/** Rows of a page unless the reader says otherwise, and at most. */
export const pageLimits = { default: defaultPageRows, maximum: maxPageRows } as const;

/** Bytes of a page: more than the largest item, and what a reader can be asked to hold at once. */
export const pageMaxBytes = 8 * 1024 * 1024;

/** Which part of a feed a reader wants; `cursor` wins over `sinceMs`. */
export interface PageQuery {
  sinceMs: number | undefined;
  cursor: string;
  /** 0 for the default. */
  limit: number;
  includeDeleted: boolean;
}

/** One page of a feed. */
export interface FeedPage {
  rows: FeedRow[];
  nextCursor: string;
  hasMore: boolean;
  /** Place of the newest row that there was before the page was read; 0 where there is none. */
  newestMs: number;
}

/**
 * Reads a page of the team's items, or of another `list`, as one tier sees
 * them. The cursor of the last page is where the next poll goes on.
 * @throws AppError `invalid_cursor`, `unavailable`.
 */
export async function listItems(
  dependencies: { items: ItemStore; cursors: Cursors },
  reader: { teamId: string; tier: Tier },
  query: PageQuery,
  list: CursorScope['list'] = 'items',
): Promise<FeedPage> {
  const { teamId, tier } = reader;
  const scope = { list, teamId, tier };
  const { items, cursors } = dependencies;
  const afterMs = query.cursor === '' ? Math.max(0, query.sinceMs ?? 0) : cursors.decode(scope, query.cursor);
  const limit = Math.min(query.limit || pageLimits.default, pageLimits.maximum);
  // Asked before the rows, and the end of the page: so the page is never older than its version, and a read that is
  // not one snapshot cannot pass over what was written before a row that has moved on meanwhile.
  const newestMs = await items.newestPlace(teamId, tier);
  if (newestMs <= afterMs)
    return { rows: [], nextCursor: cursors.encode(scope, afterMs), hasMore: false, newestMs };
  const rows = await items.page(teamId, tier, {
    afterMs,
    untilMs: newestMs,
    limit: limit + 1,
    maxBytes: pageMaxBytes,
    includeDeleted: query.includeDeleted,
  });
  for (const row of rows) row.json = withTime(row.json, row.atMs);
  const bytes = rows.reduce((sum, { json }) => sum + json.length, 0);
  const hasMore = rows.length > limit || bytes > pageMaxBytes;
  if (hasMore && rows.length > 1) rows.pop();
  return { rows, nextCursor: cursors.encode(scope, rows.at(-1)?.atMs ?? afterMs), hasMore, newestMs };
}

const timeMember = '"updated_at":"';

/** The public JSON of a row with the time that its reader knows it by; most say that time already. */
function withTime(json: Uint8Array, atMs: number): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
  // No string within JSON has an unescaped quote, so the last one is the row's own.
  const start = bytes.lastIndexOf(timeMember) + timeMember.length;
  const time = new Date(atMs).toISOString();
  if (start < timeMember.length || bytes.toString('latin1', start, start + time.length) === time) return json;
  const changed = Buffer.from(bytes);
  changed.write(time, start, 'latin1');
  return changed;
}

/** What a row's identity is called in public JSON. */
export type IdentityName = 'row_key' | 'task_id' | 'decision_id';

/** A page as it is sent. */
export interface ReadyPage {
  /** The rows as one JSON array. */
  json: Uint8Array;
  nextCursor: string;
  hasMore: boolean;
}

/** Puts a page together; `identity` names the member by which a removed row is known. */
export function readyPage({ rows, nextCursor, hasMore }: FeedPage, identity: IdentityName): ReadyPage {
  return { json: pageJson(rows, identity), nextCursor, hasMore };
}

/** The rows of a page as one JSON array; a removed row has its identity and time only. */
export function pageJson(rows: readonly FeedRow[], identity: IdentityName = 'row_key'): Uint8Array {
  return jsonArray(rows.map((row) => (row.deleted ? removedRowJson(row, identity) : row.json)));
}

function removedRowJson({ rowKey, atMs }: FeedRow, identity: IdentityName): Uint8Array {
  // The key of a task has its source before it, which is nobody's business here.
  const id = rowKey.slice(rowKey.lastIndexOf('\n') + 1);
  const updated_at = new Date(atMs).toISOString();
  return Buffer.from(JSON.stringify({ [identity]: id, updated_at, deleted: true }));
}
