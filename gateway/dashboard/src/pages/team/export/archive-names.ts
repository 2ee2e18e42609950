import { obeyedName } from '@teammemory/sync/format/obeyed-name.ts';
import { rowKeyFault } from '@teammemory/vocabulary/row-key.ts';

/** File systems allow no longer name. */
const maxNameBytes = 255;

/** Names the files of an archive: each is good on every system, below its folder, and no file takes the place of another. */
export function createArchiveNames(): {
  /** The files whose names are not their row_keys, in order. */
  renamed: ReadonlyMap<string, string>;
  /** Returns the name for an item; an item that comes again keeps its name. */
  nameOf(item: { row_key: string; tier: string }): string;
} {
  const renamed = new Map<string, string>();
  const files = new Map<string, string>();
  const folders = new Set<string>();
  const nameOf = ({ row_key, tier }: { row_key: string; tier: string }) => {
    const known = renamed.get(row_key);
    if (known !== undefined) return known;
    // Systems that ignore case take such names for the same.
    const folded = row_key.normalize('NFKC').toLowerCase();
    if (files.get(folded) === row_key) return `items/${row_key}`;
    const above = [...folded.matchAll(/\//g)].map(({ index }) => folded.slice(0, index));
    const isTaken = files.has(folded) || folders.has(folded) || above.some((folder) => files.has(folder));
    if (isTaken || !isSafe(row_key, tier)) {
      const name = `renamed/${String(renamed.size + 1).padStart(6, '0')}.md`;
      renamed.set(row_key, name);
      return name;
    }
    files.set(folded, row_key);
    for (const folder of above) folders.add(folder);
    return `items/${row_key}`;
  };
  return { renamed, nameOf };
}

/** Whether a row_key can be a file everywhere that stays below its folder and that no tool obeys. */
function isSafe(rowKey: string, tier: string): boolean {
  return (
    rowKeyFault(rowKey) === undefined &&
    obeyedName(rowKey, tier) === undefined &&
    rowKey.split('/').every((name) => new TextEncoder().encode(name).length <= maxNameBytes)
  );
}
