import { planSync } from './plan/plan.ts';
import type { RemoteRecord } from './plan/plan-types.ts';
import { lookAround } from './run/look.ts';
import { maxFileBytes } from './run/scan.ts';
import type { Workspace } from './state/workspace.ts';
import type { OpenConflict, SkippedFile } from './summary.ts';
import { SyncError } from './sync-error.ts';

/** What changed here since the last synchronisation. All lists have row_keys, sorted. */
export interface LocalStatus {
  added: string[];
  changed: string[];
  removed: string[];
  renamed: { from: string; to: string }[];
  conflicts: OpenConflict[];
  /** Private notes, which stay here. */
  private: string[];
  /** Files that were pushed once and are private now. */
  turned_private: string[];
  /** Markdown files that ignore rules leave out; a folder that is left out whole ends in a slash. */
  ignored: string[];
  skipped: SkippedFile[];
  /** Number of files that are as they were last in step. */
  unchanged: number;
}

/** Compares the files with what was last in step. Needs no network. */
export async function localStatus(workspace: Workspace): Promise<LocalStatus> {
  const { tree, world } = await lookAround(workspace, { writes: false });
  // As if the service still had what was last in step: then a plan has the changes of this folder and no others.
  const remote = new Map<string, RemoteRecord>();
  for (const [rowKey, { inStep, conflict }] of world.base) {
    const version = conflict?.version ?? (inStep === 'gone' ? undefined : inStep);
    if (version !== undefined) remote.set(rowKey, { updatedAt: '', updatedBy: '', ...version });
    else if (inStep === 'gone') remote.set(rowKey, 'gone');
  }
  const copies = new Set(tree.copies);
  for (const { conflict } of world.base.values()) if (conflict?.copy !== undefined) copies.add(conflict.copy);
  const plan = planSync({ ...world, remote, copies });
  const status: LocalStatus = {
    added: [],
    changed: [],
    removed: [],
    renamed: [],
    conflicts: plan.conflicts,
    private: plan.private,
    turned_private: plan.turnedPrivate,
    ignored: tree.ignored.toSorted(),
    skipped: [...plan.skipped, ...tree.skipped],
    unchanged: plan.unchanged,
  };
  for (const action of plan.actions) {
    if (action.kind === 'rename') status.renamed.push({ from: action.from, to: action.rowKey });
    else if (action.kind === 'push')
      (action.baseChecksum === null ? status.added : status.changed).push(action.rowKey);
    else if (action.kind === 'remove_there') status.removed.push(action.rowKey);
  }
  return status;
}

/** Both texts of a file; undefined where there is none. */
export interface LocalDifference {
  row_key: string;
  /** The text that was last in step, or the other version of an open conflict. */
  base: string | undefined;
  local: string | undefined;
}

/** Returns the two texts that `tms diff` compares. Throws SyncError `no_such_file` and `missing_object`. */
export async function localDifference(workspace: Workspace, rowKey: string): Promise<LocalDifference> {
  const { files, objects, root, state } = workspace;
  const { tree } = await lookAround(workspace, { writes: false, paths: [rowKey] });
  const { inStep, conflict } = state.base.get(rowKey) ?? {};
  const version = conflict?.version ?? (inStep === 'gone' ? undefined : inStep);
  if (version === undefined && !tree.files.has(rowKey)) {
    throw new SyncError('no_such_file', `There is no ${rowKey}, neither here nor in what was last in step.`);
  }
  const base = version === undefined ? undefined : await objects.get(version.fileChecksum);
  if (version !== undefined && base === undefined) {
    throw new SyncError('missing_object', `What was last in step of ${rowKey} is no longer in .tms.`);
  }
  const path = `${root}/${tree.paths.get(rowKey) ?? rowKey}`;
  const isFile = tree.files.get(rowKey)?.kind === 'file';
  const local = isFile ? await files.read(path, maxFileBytes) : undefined;
  return {
    row_key: rowKey,
    base: base?.toString('utf8'),
    local: local === undefined ? undefined : Buffer.from(local).toString('utf8'),
  };
}
