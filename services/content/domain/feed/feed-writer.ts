import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@teammemory/errors/app-error.ts';
import { type FeedRow, type FeedRowState, type Position, positionsAfter } from './feed-row.ts';
import type { FeedChange, FeedStore, UsageByOwner } from './feed-store.ts';
import { chargedChange, type Quota, type QuotaRefusal, usageAfter, wholeTeam } from './quota.ts';

/** Writes of one group: bounds the memory and the time of one commit. */
const maxGroupWrites = 400;
/** A group ends with the write that makes its rows pass this: SQLite writes within one turn of the event loop. */
const maxGroupBytes = 512 * 1024;
/** Writes of one team that may wait. Beyond this the store cannot keep up. */
const maxWaitingWrites = 20_000;
/** How often a group starts again because another process took its positions. */
const maxGroupAttempts = 200;
/**
 * The longest pause between two attempts. Pauses double, so that waiting writers do not slow down the one that writes.
 * They are random from 0 on, so that one of the writers that collided goes on at once; `backoffMs` of libs/async always
 * waits at least half.
 */
const maxPauseMs = 100;

/** What a write does to a row whose present state is known. */
export type Verdict = { kind: 'write'; rowAt(position: Position): FeedRow } | { kind: 'unchanged' };

/** What became of a write. `previous` is the state that the verdict was given on. */
export type WriteOutcome = { previous: FeedRowState | undefined } & (
  | { kind: 'written'; row: FeedRow }
  | { kind: 'unchanged' }
  | { kind: 'refused'; refusal: QuotaRefusal }
);

/** One row to be written. */
export interface FeedWrite {
  rowKey: string;
  /** Whose share the row takes. Unset: no quota applies. */
  owner?: string;
  /** Returns the verdict. Called again if another writer changed the row in the meantime. */
  judge(current: FeedRowState | undefined): Verdict;
}

/** Writes rows into teams' feeds. */
export interface FeedWriter {
  /**
   * Writes one row and returns what became of it, once that is durable.
   * @throws AppError `unavailable`; then the row may or may not have been written.
   */
  write(teamId: string, write: FeedWrite): Promise<WriteOutcome>;
}

interface Waiting {
  write: FeedWrite;
  resolve(outcome: WriteOutcome): void;
  reject(reason: unknown): void;
}

/** What the writer of a feed is made from. */
export interface FeedWriterDependencies {
  feed: FeedStore;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Versions kept of a row before its present one. */
  history: number;
  /** Beyond it writes are refused. Unset: nothing is counted. */
  quota?: Quota;
}

/**
 * Makes the writer of a feed. A group of writes reads the head and takes the positions after it. If another process
 * was faster, it reads again and retries the rest; see docs/architecture.md, "A feed without holes". Writes of one team
 * that arrive while a group is being written form the next group, so they share its commit and never collide within a
 * process.
 */
export function createFeedWriter(dependencies: FeedWriterDependencies): FeedWriter {
  const waiting = new Map<string, Waiting[]>();

  async function writeGroups(teamId: string, queue: Waiting[]): Promise<void> {
    // Writes of one turn of the event loop are collected before the first group starts.
    await Promise.resolve();
    while (queue.length > 0) {
      const group = queue.splice(0, maxGroupWrites);
      try {
        await writeGroup(teamId, group);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    waiting.delete(teamId);
  }

  async function writeGroup(teamId: string, group: readonly Waiting[]): Promise<void> {
    let left = group;
    for (let attempt = 0; left.length > 0; attempt += 1) {
      if (attempt === maxGroupAttempts) {
        throw new AppError('unavailable', 'Too many writers at once; try again shortly.');
      }
      if (attempt > 0) await delay(Math.random() * Math.min(2 ** attempt, maxPauseMs));
      const { settled, isOvertaken } = await writeOnce(dependencies, teamId, left);
      left = left.slice(settled);
      // Only attempts that another writer spoiled count.
      if (!isOvertaken) attempt = -1;
    }
  }

  return {
    write(teamId, write) {
      return new Promise((resolve, reject) => {
        const queue = waiting.get(teamId);
        if (queue === undefined) {
          const first = [{ write, resolve, reject }];
          waiting.set(teamId, first);
          void writeGroups(teamId, first);
        } else if (queue.length >= maxWaitingWrites) {
          reject(new AppError('unavailable', 'Too many writes are waiting; try again shortly.'));
        } else {
          queue.push({ write, resolve, reject });
        }
      });
    },
  };
}

/** Returns the usage of everyone who writes and of everyone whose rows are replaced. */
function usageOf(
  { feed, quota }: FeedWriterDependencies,
  teamId: string,
  group: readonly Waiting[],
  states: ReadonlyMap<string, FeedRowState>,
): Promise<UsageByOwner> {
  if (quota === undefined) return Promise.resolve(new Map());
  const owners = group.flatMap(({ write }) => [write.owner, states.get(write.rowKey)?.charge?.owner]);
  const named = owners.filter((owner) => owner !== undefined);
  return feed.usage(teamId, [...new Set([wholeTeam, ...named])]);
}

function charged(
  { quota, history }: FeedWriterDependencies,
  change: FeedChange,
  usage: UsageByOwner,
  owner: string | undefined,
) {
  if (quota === undefined || owner === undefined) return change;
  return chargedChange(quota, usage, change, { owner, history });
}

/** Writes as many of a group as fit into one append, and returns how many are settled. */
async function writeOnce(
  dependencies: FeedWriterDependencies,
  teamId: string,
  group: readonly Waiting[],
): Promise<{ settled: number; isOvertaken: boolean }> {
  const { feed, clock, history } = dependencies;
  // In this order. A state that is newer than the head could be that of the row which took the position after it: this
  // append would give the row that position again, with an earlier time, behind readers who have passed it.
  const states = await feed.find(teamId, [...new Set(group.map(({ write }) => write.rowKey))]);
  const head = await feed.head(teamId);
  // Read after the head: whatever is written in between takes the position after it, and makes this append fail.
  const newestExternalMs = await feed.newestAtMs(teamId, 'external');
  const positions = positionsAfter({ ...head, newestExternalMs }, clock);
  let usage = await usageOf(dependencies, teamId, group, states);
  const changes: FeedChange[] = [];
  const judged: { waiter: Waiting; outcome: WriteOutcome; durableAfter: number }[] = [];
  let bytes = 0;
  for (const waiter of group) {
    if (bytes > maxGroupBytes) break;
    const { rowKey, owner, judge } = waiter.write;
    const previous = states.get(rowKey);
    const verdict = judge(previous);
    let outcome: WriteOutcome = { kind: 'unchanged', previous };
    if (verdict.kind === 'write') {
      const change = charged(dependencies, { row: verdict.rowAt(positions.next()), previous }, usage, owner);
      // On a full disk the store takes removals alone.
      if ('row' in change && changes.some(({ row }) => row.deleted !== change.row.deleted)) break;
      if ('code' in change) {
        outcome = { kind: 'refused', refusal: change, previous };
      } else {
        const { row } = change;
        positions.take(row);
        usage = usageAfter(usage, [change]);
        changes.push(change);
        states.set(rowKey, row);
        bytes += row.json.length;
        outcome = { kind: 'written', row, previous };
      }
    }
    judged.push({ waiter, outcome, durableAfter: changes.length });
  }
  let written = 0;
  try {
    if (changes.length > 0) written = await feed.append(teamId, changes, history);
  } catch (error) {
    for (const { waiter } of judged) waiter.reject(error);
    return { settled: judged.length, isOvertaken: false };
  }
  // A verdict that rests on a row that was not written is given again.
  const durable = judged.filter(({ durableAfter }) => durableAfter <= written);
  for (const { waiter, outcome } of durable) waiter.resolve(outcome);
  return { settled: durable.length, isOvertaken: written < changes.length };
}
