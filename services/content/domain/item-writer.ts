import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@teammemory/errors/app-error.ts';
import { positionsAfter } from './feed-change.ts';
import type { ItemState } from './item.ts';
import type { Decision } from './item-decision.ts';
import type { ItemChange, ItemStore } from './item-store.ts';
import {
  chargeOf,
  dropsVersions,
  hides,
  type Quota,
  quotaRefusal,
  type UsageByOwner,
  usageAfter,
  wholeTeam,
} from './quota.ts';

/** Writes of one group: bounds the memory and the time of one commit. */
const groupMaxWrites = 400;
/** A group ends with the write that makes its rows pass this: SQLite writes within one turn of the event loop. */
const groupMaxBytes = 1024 * 1024;
/** Writes of one team that may wait; past it the store cannot keep up. */
const waitingMaxWrites = 20_000;
/** How often a group starts anew because another process took its positions. */
const attemptsPerGroup = 200;
/**
 * The longest pause between two attempts. Pauses double, so that waiting writers do not slow down the one
 * that writes, and are random, so that processes part.
 */
const pauseMaxMs = 100;

/** One row to be written, and how to decide about it once its state is known. */
export interface Write {
  rowKey: string;
  /** Whose share the row takes, where shares are counted. */
  owner?: string;
  decide(current: ItemState | undefined): Decision;
}

interface Waiting {
  write: Write;
  resolve(decision: Decision): void;
  reject(reason: unknown): void;
}

/** Writes rows into teams' feeds. */
export interface ItemWriter {
  /** Writes one row and answers what was decided, after it is durable. */
  write(teamId: string, write: Write): Promise<Decision>;
}

/**
 * The writing half of the feed. A group reads the head, takes the positions
 * after it and, where another process was faster, reads again and retries what
 * is left; see docs/architecture.md, "A feed without holes". Writes of one team
 * that arrive while a group is under way form the next group, so they share
 * its commit and never collide within a process.
 */
export function createItemWriter(options: {
  items: ItemStore;
  clock: () => number;
  /** Versions kept of an item before its present one. */
  itemHistory: number;
  /** Beyond it writes are refused as `quota_exceeded`; unset: nobody counts. */
  quota?: Quota;
}): ItemWriter {
  const { items, clock, itemHistory, quota } = options;
  const waiting = new Map<string, Waiting[]>();

  async function writeGroups(teamId: string, queue: Waiting[]): Promise<void> {
    // Writes of one turn come together before the first group starts.
    await Promise.resolve();
    while (queue.length > 0) {
      const group = queue.splice(0, groupMaxWrites);
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
      if (attempt === attemptsPerGroup) {
        throw new AppError('unavailable', 'Too many writers at once; try again shortly.');
      }
      if (attempt > 0) await delay(Math.random() * Math.min(2 ** attempt, pauseMaxMs));
      const { settled, isOvertaken } = await writeOnce(teamId, left);
      left = left.slice(settled);
      // Only what another writer was in the way of was tried in vain.
      if (!isOvertaken) attempt = -1;
    }
  }

  /** What those have whose rows are written over, or who write. */
  function usageOf(
    teamId: string,
    group: readonly Waiting[],
    states: ReadonlyMap<string, ItemState>,
  ): Promise<UsageByOwner> {
    if (quota === undefined) return Promise.resolve(new Map());
    const owners = group.flatMap(({ write }) => [write.owner, states.get(write.rowKey)?.charge?.owner]);
    const named = owners.filter((owner) => owner !== undefined);
    return items.usage(teamId, [...new Set([wholeTeam, ...named])]);
  }

  /** The change with what it takes, or why it has no room. */
  function charged(change: ItemChange, usage: UsageByOwner, owner: string | undefined) {
    if (quota === undefined || owner === undefined) return change;
    const { item, previous } = change;
    // What is removed stays with whom it was taken from.
    const payer = item.deleted ? (previous?.charge?.owner ?? owner) : owner;
    const counted = (drops: boolean): ItemChange => {
      const charge = chargeOf(item, previous, payer, drops ? 0 : itemHistory);
      return { item: { ...item, charge }, previous, dropsVersions: drops };
    };
    const wanted = counted(change.dropsVersions || dropsVersions(quota, usage, change));
    const refusal = quotaRefusal(quota, usage, wanted);
    if (refusal === undefined) return wanted;
    // To hide something must not fail for want of room: its earlier versions make it.
    const without = counted(true);
    return hides(change) && quotaRefusal(quota, usage, without) === undefined ? without : refusal;
  }

  /** Writes the first of a group that fit into one write, and returns how many are settled. */
  async function writeOnce(
    teamId: string,
    group: readonly Waiting[],
  ): Promise<{ settled: number; isOvertaken: boolean }> {
    const head = await items.head(teamId);
    // Asked after the head: what is written meanwhile takes the position behind it, and this write fails.
    const newestExternalMs = await items.newestPlace(teamId, 'external');
    const states = await items.find(teamId, [...new Set(group.map(({ write }) => write.rowKey))]);
    const positions = positionsAfter({ ...head, newestExternalMs }, clock);
    let usage = await usageOf(teamId, group, states);
    const changes: ItemChange[] = [];
    const decided: { waiter: Waiting; decision: Decision; durableAfter: number }[] = [];
    let bytes = 0;
    for (const waiter of group) {
      if (bytes > groupMaxBytes) break;
      const { rowKey, owner, decide } = waiter.write;
      const previous = states.get(rowKey);
      let decision = decide(previous);
      if (decision.kind === 'write') {
        const wanted = {
          item: decision.at(positions.next()),
          previous,
          dropsVersions: decision.dropsVersions,
        };
        const change = charged(wanted, usage, owner);
        if ('code' in change) {
          decision = { kind: 'refused', refusal: change };
        } else {
          positions.take(change.item);
          usage = usageAfter(usage, [change]);
          changes.push(change);
          states.set(rowKey, change.item);
          bytes += change.item.json.length;
        }
      }
      decided.push({ waiter, decision, durableAfter: changes.length });
    }
    const written = changes.length === 0 ? 0 : await items.append(teamId, changes, itemHistory);
    // What was decided on a state that was not written is decided again.
    const durable = decided.filter(({ durableAfter }) => durableAfter <= written);
    for (const { waiter, decision } of durable) waiter.resolve(decision);
    return { settled: durable.length, isOvertaken: written < changes.length };
  }

  return {
    write(teamId, write) {
      return new Promise((resolve, reject) => {
        const queue = waiting.get(teamId);
        if (queue === undefined) {
          const first = [{ write, resolve, reject }];
          waiting.set(teamId, first);
          void writeGroups(teamId, first);
        } else if (queue.length >= waitingMaxWrites) {
          reject(new AppError('unavailable', 'Too many writes are waiting; try again shortly.'));
        } else {
          queue.push({ write, resolve, reject });
        }
      });
    },
  };
}
