import { dirname, join } from 'node:path';
import { rowKeyFault } from '@teammemory/vocabulary/row-key.ts';
import { isMarkdown, isNeverSynced } from './format/row-names.ts';
import { isBelow, lookAround } from './run/look.ts';
import type { LocalTree } from './run/scan.ts';
import { makeFolders } from './state/file-system.ts';
import type { StateChange } from './state/state.ts';
import type { Workspace } from './state/workspace.ts';
import { SyncError } from './sync-error.ts';

/**
 * Renames a file or folder and remembers that, so that the next push renames it on the service even if it was edited since.
 * Returns the renamed row_keys. Throws SyncError `no_such_file`, `file_exists` and `bad_path`.
 */
export async function moveFile(
  workspace: Workspace,
  from: string,
  to: string,
): Promise<{ from: string; to: string }[]> {
  const { files, root, state } = workspace;
  const { tree } = await lookAround(workspace, { writes: false, paths: [from, to] });
  const moved = [...tree.files.keys()]
    .filter((rowKey) => isBelow(rowKey, [from]))
    .map((rowKey) => ({ from: rowKey, to: to + rowKey.slice(from.length) }));
  if (from === '' || moved.length === 0)
    throw new SyncError('no_such_file', `There is no note ${from} here.`);
  for (const { to: rowKey } of moved) requireGoodName(rowKey);
  const source = join(root, tree.paths.get(from) ?? tree.folders.get(from) ?? from);
  const target = join(root, to);
  await requireFree(workspace, source, target, to);
  await makeFolders(files, dirname(target));
  await files.rename(source, target);
  const changes = moved.flatMap(({ from: old, to: rowKey }): StateChange[] => {
    const first = state.movedFrom.get(old) ?? old;
    return [
      ['moved', old, null],
      ['moved', rowKey, first === rowKey ? null : first],
    ];
  });
  await state.commit(changes);
  return moved;
}

function requireGoodName(rowKey: string): void {
  const fault = rowKeyFault(rowKey);
  if (fault !== undefined) throw new SyncError('bad_path', `${rowKey} cannot be a row_key: it ${fault}.`);
  if (rowKey.split('/').some(isNeverSynced))
    throw new SyncError('bad_path', `${rowKey} lies in a folder of tools.`);
  if (!isMarkdown(rowKey)) throw new SyncError('bad_path', `${rowKey} is not the name of a Markdown file.`);
}

/** A change of case meets itself where case does not count. */
async function requireFree(
  { files, ignoresCase }: Workspace,
  source: string,
  target: string,
  to: string,
): Promise<void> {
  const isSame = ignoresCase && source.toLowerCase() === target.toLowerCase();
  if (isSame || (await files.stat(target)) === undefined) return;
  throw new SyncError('file_exists', `${to} exists. Remove it first, or choose another name.`);
}

/**
 * Removes files, or all files below folders, here; the next push removes them from the service. With `keepLocal` the files
 * stay here and only the team's copies go, which is for files that are private or ignored by now: others would be pushed
 * again. Returns the row_keys. Throws SyncError `no_such_file` and `bad_path`.
 */
export async function removeFiles(
  workspace: Workspace,
  rowKeys: readonly string[],
  { keepLocal = false }: { keepLocal?: boolean } = {},
): Promise<string[]> {
  const { files, objects, root } = workspace;
  // A file that is named counts as not ignored, but what is kept here has to be ignored by everyone who does not name it.
  const { tree } = await lookAround(workspace, { writes: false, paths: keepLocal ? undefined : rowKeys });
  const removed = new Set<string>();
  for (const named of rowKeys) {
    const found = rowKeysBelow(workspace, tree, named);
    if (named === '' || found.length === 0)
      throw new SyncError('no_such_file', `There is no note ${named} here.`);
    for (const rowKey of found) removed.add(rowKey);
  }
  for (const rowKey of removed) {
    const file = tree.files.get(rowKey);
    if (keepLocal) await withdraw(workspace, tree, rowKey);
    else if (file?.kind === 'file') {
      const path = join(root, tree.paths.get(rowKey) ?? rowKey);
      const bytes = await files.read(path, Number.MAX_SAFE_INTEGER);
      // Kept for two weeks, in case it was a mistake.
      if (bytes !== undefined) await objects.put(bytes);
      await files.remove(path);
    }
  }
  return [...removed].sort();
}

/** Returns the files that have a name or lie below it, here or when they were last in step. */
export function rowKeysBelow({ state }: Workspace, tree: LocalTree, named: string): string[] {
  const known = [...state.base].flatMap(([rowKey, { inStep }]) =>
    inStep === undefined || inStep === 'gone' ? [] : [rowKey],
  );
  return [...tree.files.keys(), ...known].filter((rowKey) => isBelow(rowKey, [named]));
}

/** Throws SyncError `bad_path` for a file that the next push would bring back. */
export function requireStays(tree: LocalTree, rowKey: string): void {
  const file = tree.files.get(rowKey);
  if (file?.kind !== 'file' || file.isPrivate || tree.ignores(rowKey)) return;
  throw new SyncError(
    'bad_path',
    `${rowKey} would be pushed again. Name it in .tmsignore, or make it private, first.`,
  );
}

async function withdraw({ state }: Workspace, tree: LocalTree, rowKey: string): Promise<void> {
  requireStays(tree, rowKey);
  const record = state.base.get(rowKey);
  if (record?.inStep === undefined || record.inStep === 'gone') return;
  await state.commit([['base', rowKey, { ...record, withdrawn: true }]]);
}
