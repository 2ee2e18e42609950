import type { CursorScope, Cursors } from '../feed/cursor.ts';
import { maxPageBytes, pageRows, type Reader, shownJson } from '../feed/feed-page.ts';
import { type FeedRow, type Origin, removalJson } from '../feed/feed-row.ts';
import type { FeedStore, RowVersion } from '../feed/feed-store.ts';
import { notFound } from './items.ts';

/** Versions that are read from the store at once. */
const maxReadVersions = 50;

/** A version as a list tells it. */
export interface VersionSummary {
  revision: number;
  checksum: string;
  tier: string;
  updated_at: string;
  updated_by: string;
  by_guest?: true;
  deleted?: true;
  /** Of a removal that left no text behind, here or in an earlier version. */
  erased?: true;
  /** For team keys: with what it was written, if that is known. */
  written_with?: Origin;
}

/** One page of a history, newest first; `nextCursor` is empty on the last page. */
export interface HistoryPage {
  versions: VersionSummary[];
  nextCursor: string;
}

/**
 * Returns an item in public JSON, as lists show it to the reader.
 * @throws AppError `not_found` for one that is absent, removed or not visible, `unavailable`.
 */
export async function readItem(items: FeedStore, reader: Reader, rowKey: string): Promise<Uint8Array> {
  const json = shownJson(await items.read(reader.teamId, rowKey, reader.tier), reader.tier);
  if (json === undefined) throw notFound();
  return json;
}

/**
 * Lists what an item is and was, as far as its reader may know.
 *
 * To a team key every kept version has its number in the store. An external key must not learn from a history that
 * anything was hidden from it: it sees the versions since the item last became visible to it, no removals, and the
 * number of each is its time. A gap between numbers, or versions that are missing among those that are kept, would tell
 * how much happened out of its sight; a time tells no more than `updated_at` beside it. To it, an item that was hidden
 * and shown again looks like one that was removed and pushed again.
 * @throws AppError `not_found`, `invalid_cursor`, `unavailable`.
 */
export async function listItemHistory(
  { items, cursors }: { items: FeedStore; cursors: Cursors },
  reader: Reader,
  query: { rowKey: string; cursor: string; limit: number },
): Promise<HistoryPage> {
  const { teamId, tier } = reader;
  const scope: CursorScope = { list: 'item-versions', teamId, tier, part: { rowKey: query.rowKey } };
  const before = query.cursor === '' ? Number.MAX_SAFE_INTEGER : cursors.decode(scope, query.cursor);
  const limit = pageRows(query.limit);
  const versions: VersionSummary[] = [];
  let bytes = 0;
  for await (const { json, ...summary } of visibleVersions(items, reader, query.rowKey, before)) {
    if (versions.length === limit || bytes > maxPageBytes) {
      return { versions, nextCursor: cursors.encode(scope, versions.at(-1)?.revision ?? 0) };
    }
    versions.push(summary);
    bytes += json.length;
  }
  return { versions, nextCursor: '' };
}

/**
 * Returns one version of an item in public JSON with its `revision`; of a removal what the list tells.
 * @throws AppError `not_found` for a revision that the reader's history does not have, `unavailable`.
 */
export async function readItemVersion(
  items: FeedStore,
  reader: Reader,
  { rowKey, revision }: { rowKey: string; revision: number },
): Promise<Uint8Array> {
  for await (const { json, ...summary } of visibleVersions(items, reader, rowKey, revision + 1)) {
    if (summary.revision !== revision) break;
    if (summary.deleted) return Buffer.from(JSON.stringify(summary));
    const { written_with } = summary;
    const added = JSON.stringify({ ...(written_with && { written_with }), revision });
    return Buffer.concat([json.subarray(0, -1), Buffer.from(`,${added.slice(1)}`)]);
  }
  throw notFound();
}

/** Returns the row behind an item that the reader sees now; team keys see removed ones too. */
async function visibleRow(items: FeedStore, { teamId, tier }: Reader, rowKey: string): Promise<FeedRow> {
  const row = await items.read(teamId, rowKey, tier);
  if (row === undefined) throw notFound();
  return row;
}

/** Yields the versions that a reader sees, newest first, those whose number is below `before`. */
async function* visibleVersions(
  items: FeedStore,
  reader: Reader,
  rowKey: string,
  before: number,
): AsyncGenerator<VersionSummary & { json: Uint8Array }> {
  const row = await visibleRow(items, reader, rowKey);
  const isTeam = reader.tier === 'team';
  // The numbers of external keys are not those of the store, so their versions are read from the newest on.
  for await (const { revision, json, origin } of storedVersions(
    items,
    reader.teamId,
    row,
    isTeam ? before : Infinity,
  )) {
    const summary = summaryOf(json);
    if (!isTeam && (summary.deleted || summary.tier !== 'external')) return;
    const number = isTeam ? revision : Date.parse(summary.updated_at);
    // To a guest a member's programs would be a hint of what happens out of sight.
    const told = isTeam && origin !== undefined ? { written_with: origin } : {};
    if (number < before) yield { revision: number, ...summary, ...told, json };
  }
}

/** Yields the present version and the kept ones before it, newest first, those whose revision is below `before`. */
async function* storedVersions(
  items: FeedStore,
  teamId: string,
  row: FeedRow,
  before: number,
): AsyncGenerator<RowVersion> {
  const { rowKey, revision } = row;
  if (revision < before) {
    const { origin } = row;
    if (!row.deleted) yield { revision, json: row.json, origin };
    else if (row.removedBy !== undefined) yield { revision, json: removalJson(row), origin };
  }
  // A version at the present revision was left by a write that lost its race.
  let beforeRevision = Math.min(before, revision);
  while (beforeRevision > 1) {
    const range = { beforeRevision, limit: maxReadVersions, maxBytes: maxPageBytes };
    const versions = await items.versions(teamId, rowKey, range);
    yield* versions;
    beforeRevision = versions.at(-1)?.revision ?? 0;
  }
}

/** The SHA-256 of an empty text, in place of the checksum that an erased row has no more. */
const checksumOfNothing = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const tailStart = '"tier":"';

/** Returns what the end of a version's JSON says, without reading its text: its own last members come after all else. */
export function summaryOf(json: Uint8Array): Omit<VersionSummary, 'revision'> {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
  // Strings in JSON contain no unescaped quotes, so the last match is the row's own member.
  const tail = bytes.toString('utf8', bytes.lastIndexOf(tailStart));
  const { checksum, tier, updated_at, updated_by, by_guest, deleted } = JSON.parse(`{${tail}`);
  const said = { checksum, tier, updated_at, updated_by, ...(by_guest && { by_guest }) };
  if (deleted !== true) return said;
  return checksum === ''
    ? { ...said, checksum: checksumOfNothing, deleted, erased: true }
    : { ...said, deleted };
}
