import type { ItemSummary } from '../../data/team-items.ts';

/** What stands in a folder: another folder with all that is below it, or an item. */
export type FolderEntry =
  | { kind: 'folder'; name: string; path: string; count: number; updatedAt: string }
  | { kind: 'item'; name: string; path: string; item: ItemSummary };

/** Names as people order them: 2 before 10. */
const order = new Intl.Collator(undefined, { numeric: true });

/** The entries of a folder, folders first. `path` is without a slash at its end, and empty for the outermost one. */
export function folderEntries(items: readonly ItemSummary[], path: string): FolderEntry[] {
  const prefix = path === '' ? '' : `${path}/`;
  const folders = new Map<string, FolderEntry & { kind: 'folder' }>();
  const files: FolderEntry[] = [];
  for (const item of items) {
    if (!item.row_key.startsWith(prefix)) continue;
    const rest = item.row_key.slice(prefix.length);
    const slash = rest.indexOf('/');
    if (slash === -1) {
      files.push({ kind: 'item', name: rest, path: item.row_key, item });
      continue;
    }
    const name = rest.slice(0, slash);
    const known = folders.get(name);
    if (known === undefined) {
      folders.set(name, { kind: 'folder', name, path: prefix + name, count: 1, updatedAt: item.updated_at });
    } else {
      known.count += 1;
      if (item.updated_at > known.updatedAt) known.updatedAt = item.updated_at;
    }
  }
  const byName = (one: FolderEntry, other: FolderEntry) => order.compare(one.name, other.name);
  return [...[...folders.values()].sort(byName), ...files.sort(byName)];
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
