import type { ItemError, NewItem } from '@teammemory/client/item.ts';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';

/** The default write limit per minute. A larger batch would never fit. */
export const maxItemsPerPush = 60;
/** Bytes of JSON: half of what the service accepts in a body. One large item may exceed it. */
export const maxBytesPerPush = 4 * 1024 * 1024;
/** Refusals in a row: enough to halve a batch down to one item and then to wait for a busy key. */
const maxRefusals = 12;
/** Used if a refusal names no time. */
const defaultWaitSeconds = 10;
/** The service never asks for more than a minute, but a proxy might. */
const maxWaitSeconds = 300;

export interface SendItemsDependencies {
  client: Pick<TeamMemoryClient, 'pushItems'>;
  /** Waits and tells the user. Rejects if the signal aborts. */
  wait(seconds: number): Promise<void>;
  signal: AbortSignal;
}

/**
 * Pushes items and returns for each, in order, why it was refused, or undefined if it was accepted. A batch that exceeds
 * the rate limit is sent again after the time that the service names. It is split if the limit is smaller than the batch:
 * if the service says so, or if waiting did not help. Throws what the client throws.
 */
export async function sendItems(
  items: readonly NewItem[],
  { client, wait, signal }: SendItemsDependencies,
): Promise<(ItemError | undefined)[]> {
  const outcomes: (ItemError | undefined)[] = [];
  const queue: (readonly NewItem[])[] = [items];
  let refusals = 0;
  for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
    try {
      const { errors } = await client.pushItems(batch, { signal, retries: 0 });
      const byIndex = new Map(errors.map((error) => [error.index, error]));
      outcomes.push(...batch.map((_, index) => byIndex.get(index)));
      refusals = 0;
    } catch (thrown) {
      refusals += 1;
      const refusal = asRefusal(thrown);
      if (refusal === undefined || refusals > maxRefusals) throw thrown;
      const size = fittingSize(batch.length, refusal.quota, refusals);
      if (size === batch.length) await wait(refusal.seconds);
      queue.unshift(...inBatchesOf(size, batch));
    }
  }
  return outcomes;
}

/** Returns how long to wait and what the limit allows, or undefined if trying again is useless. */
function asRefusal(thrown: unknown): { seconds: number; quota?: number } | undefined {
  if (!(thrown instanceof ProblemError) || thrown.code !== 'rate_limited') return undefined;
  const seconds = Math.max(1, thrown.retryAfterSeconds ?? defaultWaitSeconds);
  return seconds > maxWaitSeconds ? undefined : { seconds, quota: thrown.quota };
}

/** Returns how many items to send at once after a refusal. */
function fittingSize(length: number, quota: number | undefined, refusals: number): number {
  if (quota) return Math.min(length, quota);
  return refusals > 1 ? Math.ceil(length / 2) : length;
}

function inBatchesOf<Entry>(size: number, batch: readonly Entry[]): Entry[][] {
  const count = Math.ceil(batch.length / size);
  return Array.from({ length: count }, (_, index) => batch.slice(index * size, (index + 1) * size));
}
