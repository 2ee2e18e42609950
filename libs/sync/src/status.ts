import { maxFileBytes } from './format/item-file.ts';
import { planSync } from './plan/plan.ts';
import type { RemoteRecord } from './plan/plan-types.ts';
import { peekRemote } from './run/fetch-remote.ts';
import { lookAround } from './run/look.ts';
import type { SyncClient } from './service.ts';
import type { Workspace } from './state/workspace.ts';
import type { OpenConflict, SkippedFile, TierChange } from './summary.ts';
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

/** What changed on the service since the last synchronisation. */
export interface RemoteStatus {
  added: string[];
  changed: string[];
  removed: string[];
  tier_changes: TierChange[];
  /** Items that would not become files here. */
  skipped: SkippedFile[];
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

/** Compares the service with what was last in step. Throws what the client throws. */
export async function remoteStatus(
  workspace: Workspace,
  client: SyncClient,
  { signal }: { signal: AbortSignal },
): Promise<RemoteStatus> {
  const remote = await peekRemote(workspace, { client, signal, fetched: () => undefined });
  const { world } = await lookAround(workspace, { writes: false, remote, signal });
  const status: RemoteStatus = { added: [], changed: [], removed: [], tier_changes: [], skipped: [] };
  for (const [rowKey, row] of [...remote].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { inStep } = world.base.get(rowKey) ?? {};
    const known = inStep === undefined || inStep === 'gone' ? undefined : inStep;
    if (row === 'gone') {
      if (known !== undefined) status.removed.push(rowKey);
      continue;
    }
    if (known !== undefined && known.tier !== row.tier) {
      status.tier_changes.push({ row_key: rowKey, from: known.tier, to: row.tier });
    }
    if (known?.checksum === row.checksum) continue;
    const refusal = world.refusal(rowKey, row);
    if (refusal !== undefined) status.skipped.push({ row_key: rowKey, ...refusal });
    else (known === undefined ? status.added : status.changed).push(rowKey);
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
