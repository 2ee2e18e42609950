import { defaultPageRows, maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { CursorScope, Cursors } from './cursor.ts';
import type { FeedStore, PageRow, RowVersion } from './feed-store.ts';

/** Bytes of a page: more than the largest row, and not too much for a reader to hold at once. */
export const maxPageBytes = 8 * 1024 * 1024;

/** Whose view of which team is read. */
export interface Reader {
  teamId: string;
  tier: Tier;
}

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
  rows: PageRow[];
  nextCursor: string;
  hasMore: boolean;
  /** Time of the newest row before the page was read; 0 for an empty feed. */
  newestMs: number;
}

/** Returns the number of rows of a page; `asked` is 0 for the default. */
export function pageRows(asked: number): number {
  return Math.min(asked || defaultPageRows, maxPageRows);
}

/**
 * Reads a page of a team's feed as one tier sees it. The next poll continues at the cursor of the last page.
 * @throws AppError `invalid_cursor`, `unavailable`.
 */
export async function listFeed(
  dependencies: { feed: FeedStore; cursors: Cursors },
  list: CursorScope['list'],
  { teamId, tier }: Reader,
  query: PageQuery,
): Promise<FeedPage> {
  const scope = { list, teamId, tier };
  const { feed, cursors } = dependencies;
  const afterMs = query.cursor === '' ? Math.max(0, query.sinceMs ?? 0) : cursors.decode(scope, query.cursor);
  const limit = pageRows(query.limit);
  // Read before the rows, and used as the end of the page. So the page is never older than its version. And a store
  // whose reads are no snapshots cannot skip what was written before a row that moves while the page is read.
  const newestMs = await feed.newestAtMs(teamId, tier);
  if (newestMs <= afterMs)
    return { rows: [], nextCursor: cursors.encode(scope, afterMs), hasMore: false, newestMs };
  const rows = await feed.page(teamId, tier, {
    afterMs,
    untilMs: newestMs,
    limit: limit + 1,
    maxBytes: maxPageBytes,
    includeDeleted: query.includeDeleted,
  });
  for (const row of rows) row.json = withTime(row.json, row.atMs);
  const hasMore = cutToPage(rows, limit);
  return { rows, nextCursor: cursors.encode(scope, rows.at(-1)?.atMs ?? afterMs), hasMore, newestMs };
}

/** Removes what was read beyond the end of a page, and returns whether there was anything. */
function cutToPage(rows: { json: Uint8Array }[], limit: number): boolean {
  const bytes = rows.reduce((sum, { json }) => sum + json.length, 0);
  const hasMore = rows.length > limit || bytes > maxPageBytes;
  if (hasMore && rows.length > 1) rows.pop();
  return hasMore;
}

const timeMember = '"updated_at":"';

/** Returns a row's public JSON with the time that its reader knows; most rows contain that time already. */
function withTime(json: Uint8Array, atMs: number): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
  // Strings in JSON contain no unescaped quotes, so the last match is the row's own member.
  const start = bytes.lastIndexOf(timeMember) + timeMember.length;
  const time = new Date(atMs).toISOString();
  if (start < timeMember.length || bytes.toString('latin1', start, start + time.length) === time) return json;
  const changed = Buffer.from(bytes);
  changed.write(time, start, 'latin1');
  return changed;
}

/** The member that identifies a row in public JSON. */
export type IdentityName = 'row_key' | 'task_id' | 'decision_id';

/** Returns the rows of a page as one JSON array; a removed row has its identity and time only. */
export function pageJson(rows: readonly PageRow[], identity: IdentityName = 'row_key'): Uint8Array {
  return jsonArray(rows.map((row) => (row.deleted ? removedRowJson(row, identity) : row.json)));
}

/** Joins texts of JSON into one JSON array without parsing them. */
export function jsonArray(elements: readonly Uint8Array[]): Uint8Array {
  const separated = elements.flatMap((element, index) => (index === 0 ? [element] : [comma, element]));
  return Buffer.concat([Buffer.from('['), ...separated, Buffer.from(']')]);
}

const comma = Buffer.from(',');

function removedRowJson({ rowKey, atMs }: PageRow, identity: IdentityName): Uint8Array {
  const updated_at = new Date(atMs).toISOString();
  return Buffer.from(JSON.stringify({ [identity]: publicId(rowKey), updated_at, deleted: true }));
}

/** Returns the id by which clients know a row. The key of a task has its source before the id. */
export function publicId(rowKey: string): string {
  return rowKey.slice(rowKey.lastIndexOf('\n') + 1);
}

/** Returns the version of a feed whose newest row has this time for its reader, milliseconds since the epoch. */
export function versionAt(newestMs: number): string {
  // A time, unlike a count, does not repeat when a team continues from a restored backup.
  return newestMs.toString(36);
}

/**
 * Returns a text that changes with every change of what one tier sees of a feed, and only then. A page is never older
 * than a version that was read before it.
 * @throws AppError `unavailable`.
 */
export async function feedVersion(feed: FeedStore, { teamId, tier }: Reader): Promise<string> {
  return versionAt(await feed.newestAtMs(teamId, tier));
}

/** Versions of a row, newest first; `nextRevision` is 0 on the last page. */
export interface VersionPage {
  versions: RowVersion[];
  nextRevision: number;
}

/** Which versions are wanted. */
export interface VersionQuery {
  rowKey: string;
  /** `nextRevision` of the page before; 0 for the first. */
  beforeRevision: number;
  /** 0 for the default. */
  limit: number;
}

/** Lists the kept versions of a row before its present one; returns undefined if there is no such row. */
export async function listVersions(
  feed: FeedStore,
  teamId: string,
  query: VersionQuery,
): Promise<VersionPage | undefined> {
  const current = (await feed.find(teamId, [query.rowKey])).get(query.rowKey);
  if (current === undefined) return undefined;
  // A version at the present revision was left by a write that lost its race.
  const beforeRevision = Math.min(query.beforeRevision || current.revision, current.revision);
  const limit = pageRows(query.limit);
  const range = { beforeRevision, limit: limit + 1, maxBytes: maxPageBytes };
  const versions = await feed.versions(teamId, query.rowKey, range);
  const hasMore = cutToPage(versions, limit);
  return { versions, nextRevision: hasMore ? (versions.at(-1)?.revision ?? 0) : 0 };
}
