import { AppError } from '@teammemory/errors/app-error.ts';
import { rowKeyPrefixFault } from '@teammemory/vocabulary/row-key.ts';
import { maxPageBytes, type Reader } from '../feed/feed-page.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import { lastOfPage, summaryOf } from './item-summaries.ts';

/** Subfolders and items of a page: some screens of a person. */
export const maxFolderEntries = 100;
/** Items of a subfolder that are counted, before the next subfolder is looked up. */
const maxCountedItems = 1_000;
/** Keys that a page looks at, after which it ends early: some hundredths of a second of SQLite's time. */
const maxKeysLookedAt = 5_000;
/** Keys that are read from the store at once. */
const keysAtOnce = 500;

/** A folder in a folder. */
export interface Subfolder {
  name: string;
  /** Items anywhere below it that the reader sees, as far as they were counted. */
  items: number;
  /** Whether there may be more than were counted. */
  hasMore: boolean;
}

/** Some of what is in a folder, by name. */
export interface FolderPage {
  folders: Subfolder[];
  /** Public JSON of items without their text. */
  items: Uint8Array[];
  /** The same of the item that has the path of the folder; undefined if the reader sees none. */
  item: Uint8Array | undefined;
  /** The token of the next page; empty on the last one. */
  nextToken: string;
}

/** Which page of which folder is wanted. */
export interface FolderQuery {
  /** Its path, without a slash at its end; empty for the outermost one. */
  folder: string;
  /** `nextToken` of the page before; empty for the first one. */
  token: string;
  /** Subfolders and items; 0 for the most. */
  limit: number;
}

/** What stands in a folder: an item, or a subfolder, whose name ends with a slash here. */
interface Entry {
  name: string;
  /** Set for a subfolder. */
  subfolder?: Subfolder;
}

/**
 * Lists what is in a folder, as far as its reader sees it, by name in the order of code points; a subfolder counts as its
 * name with a slash. The work depends on the page and not on what is below the folder. A page may end early, even empty,
 * while there is more. A folder in which the reader sees nothing is an empty one, whether or not it exists.
 * @throws AppError `invalid_request`, `unavailable`.
 */
export async function listFolder(
  items: FeedStore,
  reader: Reader,
  { folder, token, limit }: FolderQuery,
): Promise<FolderPage> {
  const beginning = folder === '' ? '' : `${folder}/`;
  requireBeginning(beginning, 'folder');
  requireBeginning(beginning + token, 'page_token');
  const { entries, nextToken } = await entriesAfter(items, reader, {
    beginning,
    token,
    limit: limit || maxFolderEntries,
  });
  const rowKeys = entries.flatMap(({ name, subfolder }) =>
    subfolder === undefined ? [beginning + name] : [],
  );
  const rows = await items.readShown(reader.teamId, reader.tier, [folder, ...rowKeys], maxPageBytes);
  const last = lastOfPage(rows);
  const shown = last === undefined ? entries : until(entries, last.slice(beginning.length));
  const summaries = new Map(rows.map((row) => [row.rowKey, summaryOf(row, reader)]));
  const item = summaries.get(folder);
  summaries.delete(folder);
  return {
    folders: shown.flatMap(({ subfolder }) => subfolder ?? []),
    items: [...summaries.values()],
    item,
    nextToken: shown.length < entries.length ? (shown.at(-1)?.name ?? token) : nextToken,
  };
}

function requireBeginning(beginning: string, field: string): void {
  const fault = rowKeyPrefixFault(beginning);
  if (fault !== undefined) throw new AppError('invalid_request', `${field} ${fault}.`);
}

/** Looks through keys in order. Behind a subfolder with many items it goes on at once. */
async function entriesAfter(
  items: FeedStore,
  { teamId, tier }: Reader,
  { beginning, token, limit }: { beginning: string; token: string; limit: number },
): Promise<{ entries: Entry[]; nextToken: string }> {
  const entries: Entry[] = [];
  let position = token;
  for (let lookedAt = 0; lookedAt < maxKeysLookedAt; ) {
    const from = beginning + firstBehind(position);
    const keys = await items.keyPage(teamId, tier, { beginning, from, limit: keysAtOnce });
    let isBehind = false;
    for (const { rowKey, isLive } of keys) {
      const path = rowKey.slice(beginning.length);
      // Reading begins with the key where it ended.
      if (path === position) continue;
      const name = path.slice(0, path.indexOf('/') + 1) || path;
      const last = entries.at(-1);
      if (entries.length === limit && name !== last?.name) return { entries, nextToken: last?.name ?? '' };
      lookedAt += 1;
      position = path;
      if (!isLive) continue;
      if (name !== last?.name) entries.push(entryOf(name, path));
      else if (last.subfolder?.items === maxCountedItems) {
        last.subfolder.hasMore = true;
        position = name;
        isBehind = true;
        break;
      } else if (last.subfolder !== undefined) last.subfolder.items += 1;
    }
    if (keys.length < keysAtOnce && !isBehind) return { entries, nextToken: '' };
  }
  const last = entries.at(-1);
  if (last?.subfolder === undefined || !position.startsWith(last.name))
    return { entries, nextToken: position };
  last.subfolder.hasMore = true;
  return { entries, nextToken: last.name };
}

function entryOf(name: string, path: string): Entry {
  if (name === path) return { name };
  return { name, subfolder: { name: name.slice(0, -1), items: 1, hasMore: false } };
}

/** Returns the first path after a position; behind all that is in a subfolder if the position is one. */
function firstBehind(position: string): string {
  // The character after the slash, in the order of code points.
  return position.endsWith('/') ? `${position.slice(0, -1)}0` : position;
}

function until(entries: readonly Entry[], name: string): readonly Entry[] {
  return entries.slice(0, entries.findIndex((entry) => entry.name === name) + 1);
}
