import { defaultPageRows, maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { CursorScope, Cursors, FeedPart } from './cursor.ts';
import type { FeedRow } from './feed-row.ts';
import type {
  FeedStore,
  Frame,
  JoinedRows,
  PageRange,
  PageRow,
  PartBounds,
  PartOfFeed,
  RowVersion,
} from './feed-store.ts';
import { acceptedRows, type RowFilter } from './filtered-page.ts';

/** Bytes of a page: more than the largest row, and not too much for a reader to hold at once. */
export const maxPageBytes = 8 * 1024 * 1024;

/** A tenth of a second of SQLite's time, and of a shared process's. */
const partBounds: PartBounds = { maxSorted: 5_000, maxLookedThrough: 20_000 };

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
  /** Only rows whose keys begin with this text. Unset or empty: all. */
  prefix?: string;
  /** Whether rows are wanted without content, front matter and its text: for items only. */
  summary?: boolean;
  /** Only rows that fit, in place of a prefix and a summary; then without those to be forgotten. */
  filter?: RowFilter | undefined;
}

/** One page of a feed. */
export interface FeedPage {
  rows: PageRow[];
  nextCursor: string;
  hasMore: boolean;
  /** Time of the newest row before the page was read; 0 for an empty feed. */
  newestMs: number;
}

/** One page of a feed as JSON. */
export interface JsonPage extends Omit<FeedPage, 'rows'> {
  /** The whole public answer: the rows by the name of their list, `next_cursor` and `has_more`. */
  answerJson: Uint8Array;
  /** The JSON array of the rows, which is a part of the answer. */
  rowsJson: Uint8Array;
}

/** Bytes for what follows the rows in an answer: two member names and the longest cursor. */
const tailBytes = 320;

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
  const scope = scopeOf(list, { teamId, tier }, query);
  return readRows(dependencies, scope, await rangeOf(dependencies, scope, query), query);
}

/** What the cursors of a feed are good for. */
type FeedScope = CursorScope & { part?: FeedPart | { filter: string } | undefined };

/** Returns what the cursors of a query are good for. */
function scopeOf(
  list: CursorScope['list'],
  { teamId, tier }: Reader,
  { prefix = '', summary = false, filter }: PageQuery,
): FeedScope {
  if (filter !== undefined) return { list, teamId, tier, part: { filter: filter.name } };
  const part = prefix === '' && !summary ? undefined : { prefix, summary };
  return { list, teamId, tier, part };
}

/** Reads the rows of a page one by one. */
async function readRows(
  { feed, cursors }: { feed: FeedStore; cursors: Cursors },
  scope: FeedScope,
  range: PageRange,
  query: PageQuery,
): Promise<FeedPage> {
  const { afterMs, untilMs: newestMs, limit } = range;
  if (newestMs <= afterMs)
    return { rows: [], nextCursor: cursors.encode(scope, afterMs), hasMore: false, newestMs };
  const { rows, throughMs } = await rowsOfPart(feed, scope, { ...range, limit: limit + 1 }, query);
  const isCut = cutToPage(rows, limit);
  for (const row of rows) {
    row.json = withTime(row.json, row.atMs);
    if (query.summary && !row.deleted) row.json = itemSummary(row.json);
  }
  const isShort = throughMs < newestMs;
  // A reader who goes on without a filter may want removed rows that come after the last one here. One with a filter
  // never gets any.
  const isLookedThrough = isShort || query.filter !== undefined;
  const lastMs = isLookedThrough && !isCut ? throughMs : (rows.at(-1)?.atMs ?? afterMs);
  return { rows, nextCursor: cursors.encode(scope, lastMs), hasMore: isCut || isShort, newestMs };
}

/** Reads the rows that a query is about, and tells how far it looked. */
async function rowsOfPart(
  feed: FeedStore,
  { teamId, tier }: FeedScope,
  range: PageRange,
  { prefix = '', filter }: PageQuery,
): Promise<PartOfFeed> {
  if (filter !== undefined) return acceptedRows(feed, { teamId, tier }, filter, range);
  if (prefix !== '') return feed.pageStartingWith(teamId, tier, prefix, { ...range, ...partBounds });
  return { rows: await feed.page(teamId, tier, range), throughMs: range.untilMs };
}

const longMembers = { from: ',"content":"', to: ',"tier":"' };

/**
 * Returns an item's public JSON without content, front matter and its text. They stand between the first member called
 * content and the last called tier: all strings around them have their quotes escaped, and what front matter may contain
 * stands between the two.
 */
export function itemSummary(json: Uint8Array): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
  const from = bytes.indexOf(longMembers.from);
  const to = bytes.lastIndexOf(longMembers.to);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
}

/**
 * Reads the same page as JSON, as one value where the engine can join whole rows of the whole list. `identity` is the
 * member that identifies a removed row.
 * @throws AppError `invalid_cursor`, `unavailable`.
 */
export async function listFeedJson(
  dependencies: { feed: FeedStore; cursors: Cursors },
  list: CursorScope['list'],
  reader: Reader,
  query: PageQuery,
  identity: IdentityName,
): Promise<JsonPage> {
  const scope = scopeOf(list, reader, query);
  const { feed, cursors } = dependencies;
  const range = await rangeOf(dependencies, scope, query);
  const { afterMs, untilMs: newestMs } = range;
  const frame = { head: `{"${list}":`, room: tailBytes };
  if (newestMs > afterMs && scope.part === undefined) {
    const joined = await feed.joinedPage(reader.teamId, reader.tier, range, frame);
    if (joined !== undefined) {
      const { lastAtMs = afterMs, hasMore } = joined;
      const page = { nextCursor: cursors.encode(scope, lastAtMs), hasMore, newestMs };
      return answered(withTimes(joined, frame), frame, page);
    }
  }
  const { rows, ...page } = await readRows(dependencies, scope, range, query);
  const parts = [Buffer.from(frame.head), pageJson(rows, identity), Buffer.alloc(frame.room)];
  return answered(Buffer.concat(parts), frame, page);
}

/** Completes a page in the room behind its rows. */
function answered(json: Uint8Array, { head, room }: Frame, page: Omit<FeedPage, 'rows'>): JsonPage {
  const end = json.length - room;
  const tail = `,"next_cursor":${JSON.stringify(page.nextCursor)},"has_more":${page.hasMore}}`;
  const { read, written } = new TextEncoder().encodeInto(tail, json.subarray(end));
  if (read < tail.length)
    throw new RangeError(`a cursor of ${page.nextCursor.length} characters has no room`);
  return { ...page, answerJson: json.subarray(0, end + written), rowsJson: json.subarray(head.length, end) };
}

/** Returns which rows a query is about. */
async function rangeOf(
  { feed, cursors }: { feed: FeedStore; cursors: Cursors },
  scope: FeedScope,
  { sinceMs, cursor, limit, includeDeleted }: PageQuery,
): Promise<PageRange> {
  const afterMs = cursor === '' ? Math.max(0, sinceMs ?? 0) : cursors.decode(scope, cursor);
  // Read before the rows, and used as the end of the page. So the page is never older than its version. And a store
  // whose reads are no snapshots cannot skip what was written before a row that moves while the page is read.
  const untilMs = await feed.newestAtMs(scope.teamId, scope.tier);
  return { afterMs, untilMs, limit: pageRows(limit), maxBytes: maxPageBytes, includeDeleted };
}

/** Removes what was read beyond the end of a page, and returns whether there was anything. */
function cutToPage(rows: { json: Uint8Array }[], limit: number): boolean {
  const bytes = rows.reduce((sum, { json }) => sum + json.length, 0);
  const hasMore = rows.length > limit || bytes > maxPageBytes;
  if (hasMore && rows.length > 1) rows.pop();
  return hasMore;
}

/** Returns a row's public JSON as lists show it to readers of a tier; undefined if they may not see it now. */
export function shownJson(row: FeedRow | undefined, tier: Tier): Uint8Array | undefined {
  if (row === undefined || row.deleted || (tier === 'external' && row.tier !== 'external')) return undefined;
  return withTime(row.json, (tier === 'team' ? row.updatedAtMs : row.externalAtMs) ?? 0);
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

/** Returns joined rows with the times that their reader knows, in the same memory: all times are equally long. */
function withTimes({ json, times = [] }: JoinedRows, { head }: Frame): Uint8Array {
  let start = head.length + 1;
  for (const { bytes, atMs } of times) {
    const row = json.subarray(start, start + bytes);
    const changed = withTime(row, atMs);
    if (changed !== row) json.set(changed, start);
    start += bytes + 1;
  }
  return json;
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
