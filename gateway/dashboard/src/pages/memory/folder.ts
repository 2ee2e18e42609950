import type { FolderEntry, Listing } from '../../data/folders.ts';
import type { ItemSummary } from '../../data/item-summaries.ts';
import { locale, plural, t } from '../../language/language.ts';

/** Names as people order them: 2 before 10. */
const order = new Intl.Collator(locale, { numeric: true });
/** Entries that are put into an order for people. Of more than these the rest is read while one scrolls. */
const maxOrdered = 200;

/** The entries of a folder: of a whole short one its folders first, and names in the order of their numbers. */
export function shownEntries({ pages, nextToken }: Listing): FolderEntry[] {
  const entries = pages.flatMap((page) => page.entries);
  if (nextToken !== '' || entries.length > maxOrdered) return entries;
  const rank = ({ kind }: FolderEntry) => (kind === 'folder' ? 0 : 1);
  return entries.sort((one, other) => rank(one) - rank(other) || order.compare(one.name, other.name));
}

/** How many items are in a folder and below it, as far as they are known, in words: "1,200+ items". */
export function countWords(entries: readonly FolderEntry[], isComplete: boolean): string {
  const count = entries.reduce((sum, entry) => sum + (entry.kind === 'folder' ? entry.count : 1), 0);
  const isExact = isComplete && !entries.some((entry) => entry.kind === 'folder' && entry.hasMore);
  return itemCount(count, isExact);
}

/** A number of items in words; more than it, if it is not exact. */
export function itemCount(count: number, isExact: boolean): string {
  return isExact ? plural(count, '1 item', '{count} items') : t('{count}+ items', { count });
}

/**
 * Whether a path is that of an item, of a folder, or of both. A path of neither counts as an item: the service knows whether
 * there was one. Until it has said what is there, the list of the folder above tells, or the name.
 */
export function whatIs(
  path: string,
  own: Listing | undefined,
  above: Listing | undefined,
): { isItem: boolean; isFolder: boolean } {
  if (path === '') return { isItem: false, isFolder: true };
  if (own !== undefined && (own.pages.length > 0 || own.problem?.code === 'invalid_request')) {
    const isFolder = own.pages.some(({ entries }) => entries.length > 0);
    return { isItem: own.item !== undefined || !isFolder, isFolder };
  }
  const known = above?.pages.flatMap(({ entries }) => entries).find((entry) => entry.path === path);
  const isItem = known === undefined ? path.endsWith('.md') : known.kind === 'item';
  return { isItem, isFolder: !isItem };
}

/** The folder that a path is in; empty for the outermost one. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Items whose path or title has every word, those whose file name begins with the first one before others. */
export function itemsNamed(items: readonly ItemSummary[], words: string, limit: number): ItemSummary[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const [first] = wanted;
  if (first === undefined) return [];
  const found: { item: ItemSummary; isFirst: boolean }[] = [];
  for (const item of items) {
    const text = `${item.row_key} ${item.title}`.toLowerCase();
    if (!wanted.every((word) => text.includes(word))) continue;
    const name = item.row_key.slice(item.row_key.lastIndexOf('/') + 1).toLowerCase();
    found.push({ item, isFirst: name.startsWith(first) });
  }
  return found
    .sort((one, other) => Number(other.isFirst) - Number(one.isFirst))
    .slice(0, limit)
    .map(({ item }) => item);
}

/** The folders above a path, the outermost first. */
export function foldersAbove(path: string): { name: string; path: string }[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((name, index) => ({ name, path: segments.slice(0, index + 1).join('/') }));
}

/** The path of an address below /memory. */
export function pathFromAddress(address: string): string {
  return address
    .split('/')
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    })
    .join('/');
}
