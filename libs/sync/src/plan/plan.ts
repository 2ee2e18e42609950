import { blockPaths, carryRenames, followRenames, respell } from './plan-renames.ts';
import { type PlannedWorld, planRow } from './plan-row.ts';
import type { Action, InStep, Plan, World } from './plan-types.ts';

/**
 * Decides what brings three trees in step: what was last in step, the folder, and the service. It reads nothing and changes
 * nothing: the same world always gives the same plan. Edits win over removals, and nothing is overwritten by guess.
 */
export function planSync(world: World): Plan {
  const plan: Plan = {
    actions: [],
    conflicts: [],
    private: [],
    turnedPrivate: [],
    kept: [],
    tierChanges: [],
    skipped: [],
    unchanged: 0,
    adopted: 0,
    needsHistory: [],
    removals: { here: 0, there: 0, of: 0 },
  };
  const planned: PlannedWorld = { ...world, formerVersions: formerVersions(world) };
  const rowKeys = new Set([...world.base.keys(), ...world.local.keys(), ...world.remote.keys()]);
  for (const rowKey of [...rowKeys].sort()) planRow(planned, rowKey, plan);
  carryRenames(world, plan);
  followRenames(world, plan);
  respell(world, plan);
  blockPaths(world, plan);
  plan.removals = countRemovals(world, plan.actions);
  plan.actions = inOrder(plan.actions);
  return plan;
}

function formerVersions(world: World): Map<string, InStep> {
  const former = new Map<string, InStep>();
  for (const [rowKey, { inStep }] of world.base) {
    if (inStep === undefined || inStep === 'gone' || world.local.has(rowKey)) continue;
    if (world.remote.get(rowKey) === 'gone') former.set(inStep.checksum, inStep);
  }
  return former;
}

/**
 * What is only recorded comes first. A file is removed here after its content arrived under another name, so that a crash in
 * between does not make a new file of the old name look like an edit of the renamed one; only where a file is in the way of a
 * folder, or the other way round, it goes before. On the service, too, new names come before old ones are removed.
 */
const order: readonly Action['kind'][] = [
  'record',
  'move',
  'respell',
  'write',
  'remove',
  'merge',
  'conflict',
  'push',
  'rename',
  'remove_there',
];

function inOrder(actions: readonly Action[]): Action[] {
  const inTheWay = new Set(actions.filter(makesRoom(actions)));
  const ordered = order.flatMap((kind) =>
    actions.filter((action) => action.kind === kind && !inTheWay.has(action)),
  );
  return [...inTheWay, ...ordered];
}

/** Whether a removal makes room for what is written: a folder in place of a file, or a file in place of a folder. */
function makesRoom(actions: readonly Action[]): (action: Action) => boolean {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const { kind, rowKey } of actions) {
    if (kind !== 'write' && kind !== 'move' && kind !== 'conflict') continue;
    files.add(rowKey);
    for (const folder of foldersOf(rowKey)) folders.add(folder);
  }
  return ({ kind, rowKey }) =>
    kind === 'remove' && (folders.has(rowKey) || foldersOf(rowKey).some((folder) => files.has(folder)));
}

function foldersOf(rowKey: string): string[] {
  const names = rowKey.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

/** A removal whose content stays under another name removes nothing that anybody could miss. */
function countRemovals(world: World, actions: readonly Action[]): Plan['removals'] {
  const here = actions.filter((action) => action.kind === 'remove');
  const there = actions.filter((action) => action.kind === 'remove_there');
  const of = [...world.base.values()].filter(
    ({ inStep }) => inStep !== undefined && inStep !== 'gone',
  ).length;
  if (here.length === 0 && there.length === 0) return { here: 0, there: 0, of };
  const localContents = new Set<string>();
  for (const file of world.local.values()) if (file.kind === 'file') localContents.add(file.fileChecksum);
  const remoteContents = new Set<string>();
  for (const row of world.remote.values()) if (row !== 'gone') remoteContents.add(row.fileChecksum);
  return {
    here: here.filter(({ expected }) => !remoteContents.has(expected)).length,
    there: there.filter(({ rowKey }) => {
      const { inStep, withdrawn } = world.base.get(rowKey) ?? {};
      return (
        inStep !== undefined && inStep !== 'gone' && !withdrawn && !localContents.has(inStep.fileChecksum)
      );
    }).length,
    of: Math.max(of, here.length),
  };
}

const guardedFiles = 10;
const guardedShare = 0.25;

/** Whether a run would remove more than a quarter of ten or more files, here or on the service. */
export function removesTooMuch({ here, there, of }: Plan['removals']): boolean {
  return of >= guardedFiles && Math.max(here, there) > of * guardedShare;
}

const pushKinds: readonly Action['kind'][] = ['record', 'push', 'rename', 'remove_there'];
const pullKinds: readonly Action['kind'][] = [
  'record',
  'write',
  'remove',
  'merge',
  'conflict',
  'move',
  'respell',
];

/** Returns the actions of one direction, and those that are left for the other. */
export function inDirection(
  actions: readonly Action[],
  direction: 'both' | 'push' | 'pull',
): { now: Action[]; later: Action[] } {
  if (direction === 'both') return { now: [...actions], later: [] };
  const kinds = direction === 'push' ? pushKinds : pullKinds;
  return {
    now: actions.filter(({ kind }) => kinds.includes(kind)),
    later: actions.filter(({ kind }) => !kinds.includes(kind)),
  };
}
