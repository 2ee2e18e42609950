import { dirname } from 'node:path';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { Action } from '../plan/plan-types.ts';
import type { SyncClient } from '../service.ts';
import type { StateChange } from '../state/state.ts';
import type { Workspace } from '../state/workspace.ts';
import type { DoneAction, SyncEvent, SyncSummary } from '../summary.ts';
import type { LocalTree } from './scan.ts';
import type { Waiting } from './waiting.ts';

/** What the steps of one run share. */
export interface Run {
  workspace: Workspace;
  client: SyncClient;
  tree: LocalTree;
  summary: SyncSummary;
  waiting: Waiting;
  signal: AbortSignal;
  report(event: SyncEvent): void;
  /** Tells and counts an action that was carried out. */
  done(action: DoneAction): void;
  askedTier: Tier | undefined;
  keyTier: Tier;
  /** Handle of the key's member. */
  member: string;
  itemWritesPerMinute: number | undefined;
  /** Whether files with credentials are pushed. */
  allowsSecrets: boolean;
  /** Set by a step after which the planner should look again: something changed meanwhile, or a merge waits to be pushed. */
  lookAgain: boolean;
}

export type ActionOf<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>;

/** Steps after which the state is made durable. What a crash loses of it, the planner recognises. */
const stepsPerCommit = 64;

/**
 * Collects what was done, so that not every small file costs a flush of its own. Names of files are on the disk before
 * the state tells of them: what a power loss took would look removed by the user. `pathOf` returns where a file is.
 */
export function createRecorder(
  { files, root, state }: Workspace,
  pathOf: (rowKey: string) => string,
): {
  add(changes: readonly StateChange[]): Promise<void>;
  flush(): Promise<void>;
} {
  /** With those above it, because it may be new. */
  const foldersOf = (changes: readonly StateChange[]) => {
    const folders = new Set<string>();
    for (const [kind, rowKey] of changes) {
      if (kind !== 'base') continue;
      let folder = dirname(pathOf(rowKey));
      for (; folder !== root && !folders.has(folder); folder = dirname(folder)) folders.add(folder);
      folders.add(root);
    }
    return folders;
  };
  let pending: StateChange[] = [];
  const flush = async () => {
    const changes = pending;
    pending = [];
    for (const folder of foldersOf(changes)) await files.syncFolder(folder);
    await state.commit(changes);
  };
  let last: Promise<void> = Promise.resolve();
  // One commit at a time, in order.
  const inTurn = () => {
    last = last.then(flush);
    return last;
  };
  return {
    add: async (changes) => {
      pending.push(...changes);
      if (pending.length >= stepsPerCommit) await inTurn();
    },
    flush: inTurn,
  };
}
