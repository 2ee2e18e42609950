import { ProblemError } from '@teammemory/client/problem-error.ts';
import { inDirection, planSync, removesTooMuch } from './plan/plan.ts';
import { type Action, describeAction, type HistoryVerdict, type Plan } from './plan/plan-types.ts';
import { carryOutHere } from './run/execute-local.ts';
import { askHistory, fetchRemote } from './run/fetch-remote.ts';
import { type LookOptions, lookAround, worldOf } from './run/look.ts';
import { pushItems, removeItems } from './run/push-items.ts';
import type { ActionOf, Run } from './run/run.ts';
import type { LocalTree } from './run/scan.ts';
import { createWaiting, forEachAtOnce } from './run/waiting.ts';
import type { SyncClient } from './service.ts';

import { pruneObjects, type Workspace } from './state/workspace.ts';
import type { DoneAction, SyncOptions, SyncSummary } from './summary.ts';
import { SyncError } from './sync-error.ts';

/** A merge is pushed in the second look; more are needed only while others push the same files. */
const maxLooks = 6;
const questionsAtOnce = 4;

/**
 * Brings a workspace and the service in step. A file that cannot be handled is reported and does not stop the others.
 * Throws SyncError `empty_root`, `too_many_removals` and `missing_root` before anything is changed, and what the client
 * throws; whatever was done by then stays done, and the next run goes on.
 */
export async function synchronize(
  workspace: Workspace,
  client: SyncClient,
  options: SyncOptions,
): Promise<SyncSummary> {
  const { signal, report } = options;
  const summary = emptySummary(options.dryRun ?? false);
  const waiting = createWaiting(signal, report);
  const key = options.direction === 'pull' ? undefined : await whoIsAsking(client, signal);
  const skipped = summary.skipped;
  let toldFaults: ReadonlySet<string> | undefined;
  for (let look = 1; ; look++) {
    await workspace.checkLock();
    await requireRoot(workspace);
    await fetchRemote(workspace, { client, signal, fetched: (rows) => report({ kind: 'fetched', rows }) });
    const { tree, plan, told } = await planWithHistory(workspace, client, options);
    // A later look finds again what the first one has found.
    toldFaults ??= told;
    requireFiles(workspace, tree, options);
    requireFewRemovals(plan, options);
    const { now, later } = inDirection(plan.actions, options.direction);
    // What was skipped in an earlier look may have worked out since.
    skipped.length = 0;
    addPlan(summary, plan, tree, look === 1);
    for (const file of skipped) if (toldFaults.has(file.row_key)) file.told_before = true;
    summary.pending = later.flatMap((action) => describeAction(action) ?? []);
    const list = now.flatMap((action) => describeAction(action) ?? []);
    report({ kind: 'planned', actions: list.length, list });
    if (options.dryRun) {
      summary.pending = [...list, ...summary.pending];
      break;
    }
    const run: Run = {
      workspace,
      client,
      tree,
      summary,
      waiting,
      signal,
      report,
      done: progress(list.length, report),
      askedTier: options.tier,
      keyTier: key?.tier === 'external' ? 'external' : 'team',
      member: key?.member ?? '',
      itemWritesPerMinute: key?.item_writes_per_minute,
      allowsSecrets: options.allowSecrets === true,
      lookAgain: false,
    };
    await carryOut(run, now);
    if (!run.lookAgain || look === maxLooks) break;
  }
  if (!options.dryRun) await pruneObjects(workspace, Date.now());
  return sorted(summary);
}

async function carryOut(run: Run, actions: readonly Action[]): Promise<void> {
  const of = <Kind extends Action['kind']>(...kinds: Kind[]) =>
    actions.filter((action): action is ActionOf<Kind> => kinds.includes(action.kind as Kind));
  await carryOutHere(run, of('record', 'move', 'remove', 'respell', 'write', 'merge', 'conflict'));
  await pushItems(run, of('push', 'rename'));
  await removeItems(run, of('remove_there'));
}

/** An older service does not tell; then the limit shows when it is reached. */
async function whoIsAsking(client: SyncClient, signal: AbortSignal) {
  try {
    return await client.whoami({ signal });
  } catch (thrown) {
    if (thrown instanceof ProblemError && [404, 405].includes(thrown.status ?? 0)) return undefined;
    throw thrown;
  }
}

async function planWithHistory(
  workspace: Workspace,
  client: SyncClient,
  options: SyncOptions,
): Promise<{ tree: LocalTree; plan: Plan; told: ReadonlySet<string> }> {
  const history = new Map<string, HistoryVerdict>();
  const look: LookOptions = { ...options, history, writes: !options.dryRun };
  const { tree, world, toldFaults: told } = await lookAround(workspace, look);
  const first = planSync(world);
  if (first.needsHistory.length === 0) return { tree, plan: first, told };
  await forEachAtOnce(first.needsHistory, questionsAtOnce, async (rowKey) => {
    const file = world.local.get(rowKey);
    if (file?.kind !== 'file') return;
    const question = { client, signal: options.signal };
    history.set(rowKey, await askHistory(question, rowKey, file.fileChecksum, world.remote.get(rowKey)));
  });
  return { tree, plan: planSync(worldOf(workspace, tree, look)), told };
}

async function requireRoot({ files, root }: Workspace): Promise<void> {
  if ((await files.stat(root))?.kind === 'folder') return;
  throw new SyncError('missing_root', `${root} is not there. Is its disk connected?`);
}

/** An empty folder in place of a full one is more often a disk that is not connected than a wish. */
function requireFiles({ state, root }: Workspace, tree: LocalTree, options: SyncOptions): void {
  if (tree.files.size > 0 || options.allowRemovals || options.direction === 'pull') return;
  const wasFull = [...state.base.values()].some(({ inStep }) => inStep !== undefined && inStep !== 'gone');
  if (!wasFull) return;
  throw new SyncError(
    'empty_root',
    `${root} has no files any more. Nothing was removed from the service; --allow-removals does that.`,
  );
}

function requireFewRemovals({ removals }: Plan, options: SyncOptions): void {
  const { direction, allowRemovals } = options;
  const here = direction === 'push' ? 0 : removals.here;
  const there = direction === 'pull' ? 0 : removals.there;
  if (allowRemovals || !removesTooMuch({ ...removals, here, there })) return;
  const [count, where] = there >= here ? [there, 'from the service'] : [here, 'from this folder'];
  throw new SyncError(
    'too_many_removals',
    `${count} of ${removals.of} files would be removed ${where}. Nothing was changed; if that is right, --allow-removals does it.`,
  );
}

function progress(total: number, report: SyncOptions['report']): (action: DoneAction) => void {
  let done = 0;
  return (action) => {
    done += 1;
    report({ kind: 'done', action, done, total });
  };
}

function emptySummary(dryRun: boolean): SyncSummary {
  return {
    dry_run: dryRun,
    pushed: [],
    written: [],
    merged: [],
    removed_here: [],
    removed_there: [],
    renamed: [],
    adopted: 0,
    unchanged: 0,
    conflicts: [],
    private: [],
    turned_private: [],
    erased: [],
    kept: [],
    tier_changes: [],
    instructions: [],
    skipped: [],
    rejected: [],
    pending: [],
  };
}

/** What a plan tells, as against what is done about it. */
function addPlan(summary: SyncSummary, plan: Plan, tree: LocalTree, isFirst: boolean): void {
  if (isFirst) summary.unchanged = plan.unchanged;
  summary.adopted += plan.adopted;
  summary.conflicts = plan.conflicts;
  summary.private = plan.private;
  summary.turned_private = plan.turnedPrivate;
  // A second look may find again what others overtook.
  const told = new Set(summary.kept.map(({ row_key }) => row_key));
  summary.kept.push(...plan.kept.filter(({ row_key }) => !told.has(row_key)));
  summary.tier_changes.push(...plan.tierChanges);
  summary.skipped.push(...plan.skipped, ...tree.skipped);
  for (const { folder, fault } of tree.unreadable) {
    if (fault.code === 'unreadable') summary.skipped.push({ row_key: `${folder}/`, ...fault });
  }
  // What was refused is tried again in the next look.
  summary.rejected = [];
}

function sorted(summary: SyncSummary): SyncSummary {
  const byKey = (a: { row_key: string }, b: { row_key: string }) => (a.row_key < b.row_key ? -1 : 1);
  for (const list of [
    'pushed',
    'written',
    'merged',
    'removed_here',
    'removed_there',
    'instructions',
  ] as const) {
    summary[list] = [...new Set(summary[list])].sort();
  }
  summary.renamed.sort((a, b) => (a.to < b.to ? -1 : 1));
  for (const list of ['conflicts', 'kept', 'tier_changes', 'skipped', 'rejected', 'pending'] as const) {
    (summary[list] as { row_key: string }[]).sort(byKey);
  }
  return summary;
}
