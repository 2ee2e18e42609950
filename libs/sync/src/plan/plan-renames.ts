import { inStepWith } from './plan-row.ts';
import type { Action, InStep, Plan, World } from './plan-types.ts';

type Push = Extract<Action, { kind: 'push' }>;
type RemoveThere = Extract<Action, { kind: 'remove_there' }>;

/**
 * Joins the removal of a file and the push of a new one into a rename if both have the same content, or if somebody renamed
 * it with `tms mv`. The new name is pushed before the old one is removed.
 */
export function carryRenames(world: World, plan: Plan): void {
  const removals = plan.actions.filter((action) => action.kind === 'remove_there');
  if (removals.length === 0) return;
  const free = new Map(removals.map((action) => [action.rowKey, action]));
  const byContent = new Map<string, string[]>();
  for (const { rowKey } of removals) {
    const origin = inStepOf(world, rowKey);
    if (origin === undefined || world.base.get(rowKey)?.withdrawn) free.delete(rowKey);
    else byContent.set(origin.fileChecksum, [...(byContent.get(origin.fileChecksum) ?? []), rowKey]);
  }
  const candidates = plan.actions.filter(
    (action): action is Push => action.kind === 'push' && action.baseChecksum === null && !action.revives,
  );
  const joined = new Map<Action, Action>();
  const dropped = new Set<Action>();
  const join = (push: Push, from: string | undefined) => {
    const removal = from === undefined ? undefined : free.get(from);
    const origin = from === undefined ? undefined : inStepOf(world, from);
    if (from === undefined || removal === undefined || origin === undefined || joined.has(push)) return;
    const { rowKey, fileChecksum } = push;
    const remote = world.remote.get(from);
    // Others may have made it internal since.
    const tier = remote === undefined || remote === 'gone' ? origin : inStepWith(remote, origin);
    const moved = { ...tier, checksum: origin.checksum, fileChecksum: origin.fileChecksum };
    joined.set(push, { kind: 'rename', from, rowKey, fileChecksum, origin: moved, baseChecksum: null });
    dropped.add(removal);
    free.delete(from);
  };
  // What a user said comes before what the contents suggest.
  for (const push of candidates) join(push, world.movedFrom.get(push.rowKey));
  for (const push of candidates) {
    join(
      push,
      byContent.get(push.fileChecksum)?.find((rowKey) => free.has(rowKey)),
    );
  }
  holdRemovals(world, plan, free, dropped);
  plan.actions = plan.actions.filter((action) => !dropped.has(action)).map((one) => joined.get(one) ?? one);
}

/**
 * A file stays on the service while what became of it here is not known, or is not there under its new name: a renamed file
 * that cannot be read looks like a removed one.
 */
function holdRemovals(world: World, plan: Plan, free: Map<string, RemoveThere>, dropped: Set<Action>): void {
  if (free.size === 0) return;
  const stuck = contentsOnlyHere(world, plan);
  for (const [rowKey, removal] of free) {
    if (!world.hasUnreadable && !stuck.has(inStepOf(world, rowKey)?.fileChecksum ?? '')) continue;
    dropped.add(removal);
    const reason = world.hasUnreadable
      ? 'stays on the service until everything here can be read: it may have been renamed'
      : 'was renamed here to a name that is not pushed, so it stays on the service';
    plan.skipped.push({ row_key: rowKey, code: 'removal_waits', reason });
  }
}

/** Contents of files that are neither in step nor about to be pushed. What turned private may go from the service. */
function contentsOnlyHere(world: World, plan: Plan): Set<string> {
  const pushed = new Set(plan.actions.filter(({ kind }) => kind === 'push').map(({ rowKey }) => rowKey));
  const contents = new Set<string>();
  for (const [rowKey, file] of world.local) {
    if (file.kind !== 'file' || file.isPrivate || pushed.has(rowKey)) continue;
    const remote = world.remote.get(rowKey);
    const there = remote === undefined || remote === 'gone' ? [] : [remote.checksum, remote.fileChecksum];
    if (!there.includes(file.fileChecksum)) contents.add(file.fileChecksum);
  }
  return contents;
}

/** Others renamed a file that was edited here: the edited file follows instead of coming back under its old name. */
export function followRenames(world: World, plan: Plan): void {
  const revived = plan.actions.filter((action): action is Push => action.kind === 'push' && action.revives);
  if (revived.length === 0) return;
  const arrivals = new Map<string, Extract<Action, { kind: 'write' }>[]>();
  for (const action of plan.actions) {
    if (action.kind !== 'write' || action.expected !== null || world.base.has(action.rowKey)) continue;
    const { checksum } = action.version;
    arrivals.set(checksum, [...(arrivals.get(checksum) ?? []), action]);
  }
  const joined = new Map<Action, Action>();
  const dropped = new Set<Action>();
  for (const push of revived) {
    const [arrival, ...others] = arrivals.get(push.origin?.checksum ?? '') ?? [];
    // With two new names nobody knows which one the edit belongs to.
    if (arrival === undefined || others.length > 0 || dropped.has(arrival)) continue;
    const { rowKey: from, fileChecksum } = push;
    const { rowKey, version } = arrival;
    joined.set(push, { kind: 'move', from, rowKey, fileChecksum, version });
    dropped.add(arrival);
    plan.kept = plan.kept.filter(({ row_key }) => row_key !== from);
  }
  plan.actions = plan.actions.filter((action) => !dropped.has(action)).map((one) => joined.get(one) ?? one);
}

/** Where two spellings are one file, removing the old one would remove the new one. */
export function respell(world: World, plan: Plan): void {
  const removals = new Map<string, Extract<Action, { kind: 'remove' }>>();
  for (const action of plan.actions) {
    if (action.kind === 'remove') removals.set(world.fold(action.rowKey), action);
  }
  const takenBy = new Map<string, string>();
  for (const rowKey of world.local.keys()) takenBy.set(world.fold(rowKey), rowKey);
  const dropped = new Set<Action>();
  plan.actions = plan.actions.map((action) => {
    if (action.kind !== 'write' || action.expected !== null) return action;
    const folded = world.fold(action.rowKey);
    const removal = removals.get(folded);
    if (removal !== undefined && !dropped.has(removal)) {
      dropped.add(removal);
      const { rowKey, version } = action;
      return { kind: 'respell', from: removal.rowKey, rowKey, expected: removal.expected, version };
    }
    const holder = takenBy.get(folded);
    if (holder === undefined) {
      takenBy.set(folded, action.rowKey);
      return action;
    }
    dropped.add(action);
    plan.skipped.push({
      row_key: action.rowKey,
      code: 'case_collision',
      reason: `differs from ${holder} only in case, which this file system cannot hold`,
    });
    return action;
  });
  plan.actions = plan.actions.filter((action) => !dropped.has(action));
}

/** A name cannot be that of a file and of a folder. What is here stays, and of two new ones the file. */
export function blockPaths(world: World, plan: Plan): void {
  const writes = plan.actions.filter((action) => action.kind === 'write' && action.expected === null);
  if (writes.length === 0) return;
  const files = new Set([...world.local.keys(), ...writes.map(({ rowKey }) => rowKey)].map(world.fold));
  for (const action of plan.actions) {
    if (action.kind === 'remove') files.delete(world.fold(action.rowKey));
    if (action.kind === 'move' || action.kind === 'respell') files.delete(world.fold(action.from));
  }
  const dropped = new Set<Action>();
  for (const action of writes) {
    const names = action.rowKey.split('/');
    const holder = names
      .slice(1)
      .findIndex((_, index) => files.has(world.fold(names.slice(0, index + 1).join('/'))));
    if (holder === -1) continue;
    dropped.add(action);
    plan.skipped.push({
      row_key: action.rowKey,
      code: 'blocked',
      reason: `lies in a folder whose name a file has: ${names.slice(0, holder + 1).join('/')}`,
    });
  }
  plan.actions = plan.actions.filter((action) => !dropped.has(action));
}

function inStepOf(world: World, rowKey: string): InStep | undefined {
  const inStep = world.base.get(rowKey)?.inStep;
  return inStep === 'gone' ? undefined : inStep;
}
