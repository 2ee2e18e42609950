import { dirname, join } from 'node:path';
import { inStepWith } from './plan/plan-row.ts';
import type { BaseRecord, ConflictRecord } from './plan/plan-types.ts';
import { removeCopy } from './run/execute-local.ts';
import { lookAround } from './run/look.ts';
import type { LocalTree } from './run/scan.ts';
import { makeFolders, writeAtomically } from './state/file-system.ts';
import type { Workspace } from './state/workspace.ts';
import { SyncError } from './sync-error.ts';

/**
 * Ends an open conflict. `mine`: the file as it is here replaces the other version at the next push. `theirs`: the other
 * version replaces the file now. `merged`: the file here is the two put together; it is pushed like `mine`. The copy of the
 * other version is removed, unless somebody edited it. Throws SyncError `no_conflict`, `no_such_file` and `missing_object`.
 */
export async function resolveConflict(
  workspace: Workspace,
  rowKey: string,
  choice: 'mine' | 'theirs' | 'merged',
): Promise<void> {
  const { inStep, conflict } = workspace.state.base.get(rowKey) ?? {};
  if (conflict === undefined) {
    throw new SyncError(
      'no_conflict',
      `${rowKey} has no open conflict. tms status lists those that there are.`,
    );
  }
  const { tree } = await lookAround(workspace, { writes: false, paths: [rowKey] });
  if (choice === 'merged' && tree.files.get(rowKey)?.kind !== 'file') {
    throw new SyncError('no_such_file', `${rowKey} is not here, so it cannot be the merged file.`);
  }
  if (choice === 'theirs') await takeTheirs(workspace, tree, rowKey, conflict);
  await workspace.state.commit([['base', rowKey, recordAfter(inStep, conflict, choice)]]);
  if (conflict.copy !== undefined && conflict.version !== undefined) {
    await removeCopy({ workspace, tree }, conflict.copy, conflict.version.fileChecksum);
  }
}

/** For `mine`, the other version becomes the one that was edited here; the next push replaces it by name. */
function recordAfter(
  inStep: BaseRecord['inStep'],
  { version }: ConflictRecord,
  choice: 'mine' | 'theirs' | 'merged',
): BaseRecord {
  // Removed, or lost: there is nothing to replace.
  if (version === undefined) return { inStep: 'gone' };
  const agreed = inStepWith(version, inStep);
  // The file here may be from before others made the item internal, and must not make it external again by itself.
  return { inStep: choice !== 'theirs' && agreed.tier === 'team' ? { ...agreed, narrowed: true } : agreed };
}

async function takeTheirs(
  { files, objects, root }: Workspace,
  tree: LocalTree,
  rowKey: string,
  { version }: ConflictRecord,
): Promise<void> {
  const path = join(root, tree.paths.get(rowKey) ?? rowKey);
  const local = tree.files.get(rowKey);
  if (local?.kind === 'unknown') throw new SyncError('bad_path', `${rowKey} ${local.reason}.`);
  // Kept for two weeks, in case the choice was a mistake.
  const mine = local === undefined ? undefined : await files.read(path, Number.MAX_SAFE_INTEGER);
  if (mine !== undefined) await objects.put(mine);
  if (version === undefined) {
    await files.remove(path);
    return;
  }
  const bytes = await objects.get(version.fileChecksum);
  if (bytes === undefined) {
    throw new SyncError('missing_object', `The other version of ${rowKey} is not here. Run tms sync first.`);
  }
  const mode = (await files.stat(path))?.mode;
  await makeFolders(files, dirname(path));
  await writeAtomically(files, path, bytes, { mode, flush: true });
}
