import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Problem, problemOf } from '../service/problem.ts';
import { rpc } from '../service/rpc.ts';
import { connection, session } from '../service/session.ts';
import { newestTimes } from './change-stream.ts';
import type { ItemSummary } from './item-summaries.ts';

/** What stands in a folder: another folder with how many items are below it, or an item. */
export type FolderEntry =
  | { kind: 'folder'; name: string; path: string; count: number; hasMore: boolean }
  | { kind: 'item'; name: string; path: string; item: ItemSummary };

/** What has been read of a folder. */
export interface Listing {
  /** In the order of their names. */
  pages: readonly { token: string; entries: readonly FolderEntry[] }[];
  /** Where reading goes on; empty once all has been read. */
  nextToken: string;
  /** The item that has the path of the folder, if there is one. */
  item: ItemSummary | undefined;
  problem: Problem | undefined;
  /** When the items had changed last before they were read. */
  readAt: string | null | undefined;
}

/** Folders that stay in memory, so that whoever comes back to one sees it at once. */
const maxListings = 30;
/** Pages of a folder that are read again after a change: the last ones, to which one has scrolled. */
const maxLivePages = 3;

const decoder = new TextDecoder();
const unread: Listing = { pages: [], nextToken: '', item: undefined, problem: undefined, readAt: undefined };

/** The folders that have been read, by path. Those of somebody else are forgotten. */
const listings = signal<ReadonlyMap<string, Listing>>(new Map());
let owner = '';
/** Reads that a folder waits for, and whether one is under way. */
const work = new Map<string, { isReading: boolean; again: boolean; more: boolean }>();

/** Returns what this session knows of a folder, without reading it. */
export function knownFolder(path: string): Listing | undefined {
  // Read in any case, so that who asks is told when there is something.
  const known = listings.value.get(path);
  return owner === ownerNow() ? known : undefined;
}

/** Returns the content of a folder. Reads its first page at once and again after changes; `readMore` reads the next. */
export function useFolder(path: string): Listing | undefined {
  const changedAt = newestTimes.value?.items;
  const isOpen = connection.value === 'open';
  useEffect(() => void readAgain(path), [path, changedAt, isOpen]);
  return knownFolder(path);
}

/** Reads the shown pages of a folder again, if they may have changed. */
export function readAgain(path: string): Promise<void> {
  return read(path, 'again');
}

/** Reads on in a folder, until there is something new to show. */
export function readMore(path: string): Promise<void> {
  return read(path, 'more');
}

async function read(path: string, what: 'again' | 'more'): Promise<void> {
  forgetOthers();
  const todo = work.get(path) ?? { isReading: false, again: false, more: false };
  work.set(path, todo);
  todo[what] = true;
  if (todo.isReading) return;
  todo.isReading = true;
  const now = owner;
  try {
    while ((todo.again || todo.more) && now === owner) {
      const isAgain = todo.again;
      if (isAgain) todo.again = false;
      else todo.more = false;
      const listing = await (isAgain ? readShown(path) : readOn(path));
      if (listing !== undefined && now === owner) keep(path, listing);
    }
  } catch (thrown) {
    if (now === owner) keep(path, { ...(listings.peek().get(path) ?? unread), problem: problemOf(thrown) });
  } finally {
    work.delete(path);
  }
}

async function readShown(path: string): Promise<Listing | undefined> {
  const before = listings.peek().get(path);
  const readAt = newestTimes.peek()?.items;
  if (before !== undefined && before.problem === undefined && before.readAt === readAt) return undefined;
  const shown = before?.pages ?? [];
  const kept = shown.slice(0, -maxLivePages);
  const from = { ...unread, pages: kept, nextToken: shown[kept.length]?.token ?? '', readAt };
  return readPages(path, from, Math.max(1, shown.length));
}

async function readOn(path: string): Promise<Listing | undefined> {
  const before = listings.peek().get(path);
  if (before === undefined || before.nextToken === '') return undefined;
  return readPages(path, { ...before, problem: undefined }, before.pages.length + 1);
}

/** Reads pages until there are so many. A page may be empty while there is more. */
async function readPages(path: string, from: Listing, pages: number): Promise<Listing> {
  let listing = from;
  let isNew = false;
  do {
    const { nextToken: token } = listing;
    const answer = await rpc.content.listFolder({ folder: path, pageToken: token });
    const entries = entriesOf(path, answer);
    isNew ||= entries.length > 0;
    const [item] = itemsOf(answer.itemJson.length === 0 ? undefined : answer.itemJson);
    listing = {
      ...listing,
      pages: [...listing.pages, { token, entries }],
      nextToken: answer.nextPageToken,
      item,
    };
  } while (listing.nextToken !== '' && (listing.pages.length < pages || !isNew));
  return listing;
}

function entriesOf(
  path: string,
  { folders, itemsJson }: Awaited<ReturnType<typeof rpc.content.listFolder>>,
): FolderEntry[] {
  const beginning = path === '' ? '' : `${path}/`;
  const entries: FolderEntry[] = [
    ...folders.map(({ name, items: count, hasMoreItems: hasMore }) => ({
      kind: 'folder' as const,
      name,
      path: beginning + name,
      count,
      hasMore,
    })),
    ...itemsOf(itemsJson).map((item) => ({
      kind: 'item' as const,
      name: item.row_key.slice(beginning.length),
      path: item.row_key,
      item,
    })),
  ];
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the items of a JSON array, or the one of a JSON object. */
function itemsOf(json: Uint8Array | undefined): ItemSummary[] {
  return json === undefined ? [] : [JSON.parse(decoder.decode(json))].flat();
}

function keep(path: string, listing: Listing): void {
  const kept = new Map(listings.peek());
  kept.delete(path);
  kept.set(path, listing);
  const [oldest] = kept.keys();
  if (kept.size > maxListings && oldest !== undefined) kept.delete(oldest);
  listings.value = kept;
}

function forgetOthers(): void {
  const now = ownerNow();
  if (now === owner) return;
  owner = now;
  work.clear();
  listings.value = new Map();
}

function ownerNow(): string {
  const { team, member, tier } = session.peek() ?? {};
  return JSON.stringify([team, member, tier]);
}
