import type { DeletedItem, Item } from '@teammemory/client/item.ts';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import { canonicalTier } from '@teammemory/vocabulary/tier.ts';
import { checksumOf } from '../format/checksum.ts';
import { contentFromFile, fileFromItem } from '../format/item-file.ts';
import {
  type HistoryVerdict,
  type RemoteRecord,
  type RemoteVersion,
  unwritable,
} from '../plan/plan-types.ts';
import type { ItemVersionRow, SyncClient } from '../service.ts';
import type { ObjectStore } from '../state/object-store.ts';
import type { StateChange } from '../state/state.ts';
import type { Workspace } from '../state/workspace.ts';
import { SyncError } from '../sync-error.ts';

/** Items have at most 1 MiB each, so a page of this many fits into the memory of any machine. */
const rowsPerPage = 100;
/** The service keeps 20 versions by default. */
const versionsPerPage = 100;
const maxVersionPages = 10;
/** Versions that are put together as files to compare them. */
const maxWholeVersions = 20;

export interface FetchOptions {
  client: SyncClient;
  signal: AbortSignal;
  /** Called after each page with the rows so far. */
  fetched(rows: number): void;
}

/**
 * Reads the feed from where it was last read, and keeps every version that it brings in the object store. The cursor moves
 * together with the rows of its page, so that an interrupted fetch goes on. A cursor that the service refuses, as after a
 * change of the key's tier, begins anew.
 */
export async function fetchRemote(workspace: Workspace, options: FetchOptions): Promise<void> {
  const { state, objects } = workspace;
  try {
    for await (const page of pages(state.cursor, options)) {
      const changes: StateChange[] = [];
      for (const row of page.rows) changes.push(['remote', row.row_key, await takeRow(row, objects)]);
      if (page.cursor !== state.cursor) await state.commit([...changes, ['cursor', page.cursor]]);
    }
  } catch (thrown) {
    const isRefused = thrown instanceof ProblemError && thrown.code === 'invalid_cursor';
    if (!isRefused || state.cursor === undefined) throw thrown;
    await state.commit([['restart']]);
    await fetchRemote(workspace, options);
  }
}

/** As `fetchRemote`, but nothing is written: for a workspace that is open for reading only. */
export async function peekRemote(
  workspace: Workspace,
  options: FetchOptions,
): Promise<Map<string, RemoteRecord>> {
  const rows = new Map(workspace.state.remote);
  try {
    for await (const page of pages(workspace.state.cursor, options)) {
      for (const row of page.rows) rows.set(row.row_key, await takeRow(row, undefined));
    }
    return rows;
  } catch (thrown) {
    if (!(thrown instanceof ProblemError) || thrown.code !== 'invalid_cursor') throw thrown;
  }
  rows.clear();
  for await (const page of pages(undefined, options)) {
    for (const row of page.rows) rows.set(row.row_key, await takeRow(row, undefined));
  }
  return rows;
}

async function* pages(
  start: string | undefined,
  { client, signal, fetched }: FetchOptions,
): AsyncGenerator<{ rows: (Item | DeletedItem)[]; cursor: string }> {
  let rows = 0;
  for (let cursor = start; ; ) {
    const page = await client.listItems({ cursor, limit: rowsPerPage, includeDeleted: true, signal });
    yield { rows: page.items, cursor: page.next_cursor };
    rows += page.items.length;
    if (page.items.length > 0) fetched(rows);
    if (!page.has_more || page.next_cursor === cursor) return;
    cursor = page.next_cursor;
  }
}

async function takeRow(row: Item | DeletedItem, objects: ObjectStore | undefined): Promise<RemoteRecord> {
  return row.deleted ? 'gone' : takeItem(row, objects);
}

/** Keeps the file of an item in the object store and returns what the planner has to know of it. */
export async function takeItem(item: Item, objects: ObjectStore | undefined): Promise<RemoteVersion> {
  const version = {
    checksum: item.checksum.toLowerCase(),
    // A tier that is not known here must not be taken for one that guests see.
    tier: canonicalTier(item.tier) === 'external' ? ('external' as const) : ('team' as const),
    updatedAt: item.updated_at,
    updatedBy: item.updated_by,
  };
  const bytes = fileOf(item);
  if (bytes === undefined) return { ...version, fileChecksum: unwritable };
  return { ...version, fileChecksum: (await objects?.put(bytes)) ?? checksumOf(bytes) };
}

function fileOf(item: Item): Buffer | undefined {
  try {
    const text = (item as { frontmatter_text?: unknown }).frontmatter_text;
    return fileFromItem({ ...item, frontmatter_text: typeof text === 'string' ? text : undefined });
  } catch (thrown) {
    if (thrown instanceof SyncError) return undefined;
    throw thrown;
  }
}

/**
 * Tells whether the bytes of a file are an earlier version of an item. Without knowledge of what was in step, only history
 * can tell an old copy from an edit. Throws what the client throws, except that a service without history is `unknown`.
 */
export async function askHistory(
  { client, signal }: Pick<FetchOptions, 'client' | 'signal'>,
  rowKey: string,
  fileChecksum: string,
  remote: RemoteRecord | undefined,
): Promise<HistoryVerdict> {
  const versions: ItemVersionRow[] = [];
  try {
    let cursor: string | undefined;
    for (let page = 0; page < maxVersionPages; page++) {
      const answer = await client.listItemVersions(rowKey, { cursor, limit: versionsPerPage, signal });
      versions.push(...answer.versions);
      if (answer.versions.some(({ checksum }) => checksum?.toLowerCase() === fileChecksum)) return 'old';
      cursor = answer.next_cursor ?? undefined;
      if (!answer.has_more || cursor === undefined) break;
    }
    // Where front matter was pushed as data only, the file of a version has another checksum than the version.
    const isExact = remote === undefined || remote === 'gone' || remote.checksum === remote.fileChecksum;
    if (isExact) return 'unrelated';
    for (const { revision, deleted } of versions.slice(0, maxWholeVersions)) {
      if (deleted) continue;
      const version = await client.getItemVersion(rowKey, revision, { signal });
      const bytes = version.deleted ? undefined : fileOf(version);
      if (bytes !== undefined && checksumOf(bytes) === fileChecksum) return 'old';
    }
    return 'unrelated';
  } catch (thrown) {
    // 405: a service from before there were versions.
    if (thrown instanceof ProblemError && [404, 405].includes(thrown.status ?? 0)) return 'unknown';
    throw thrown;
  }
}

/** The tier that the bytes of a file ask for; undefined for what cannot be read. */
export function frontmatterOf(bytes: Uint8Array): Record<string, unknown> {
  try {
    return contentFromFile(bytes).frontmatter;
  } catch {
    return {};
  }
}
