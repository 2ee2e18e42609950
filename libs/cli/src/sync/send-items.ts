import type { ItemError, NewItem } from '@teammemory/client/item.ts';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import type { TeamMemoryClient } from '@teammemory/client/team-memory-client.ts';

/** The write limit of a minute: a batch of all of it fits, a larger one never does. */
export const maxBatchItems = 60;
/** Half of what the service takes in a body, in bytes of JSON; one large item may go alone above it. */
export const maxBatchBytes = 4 * 1024 * 1024;
/** In a row: enough to halve a batch to one item and then wait out a busy key. */
const maxRefusals = 12;
/** Where a refusal names no time. */
const defaultWaitSeconds = 10;
/** The service never asks for more than its window of a minute; a proxy might. */
const maxWaitSeconds = 300;

export interface SendItemsDeps {
  client: Pick<TeamMemoryClient, 'pushItems'>;
  /** Waits, and says so. Rejects when the signal aborts. */
  wait(seconds: number): Promise<void>;
  signal: AbortSignal;
}

/**
 * Pushes items and returns, for each in order, why it was refused, or undefined
 * where it was accepted. A batch refused for its rate is sent again after the time
 * the service names, but in smaller ones where the limit itself is smaller than the
 * batch: the service says so, or waiting did not help. Throws what the client throws.
 */
export async function sendItems(
  items: readonly NewItem[],
  { client, wait, signal }: SendItemsDeps,
): Promise<(ItemError | undefined)[]> {
  const outcomes: (ItemError | undefined)[] = [];
  const queue: (readonly NewItem[])[] = [items];
  let refusals = 0;
  for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
    try {
      const { errors } = await client.pushItems(batch, { signal });
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

/** How long to wait and what the limit allows; undefined where trying again is of no use. */
function asRefusal(thrown: unknown): { seconds: number; quota?: number } | undefined {
  if (!(thrown instanceof ProblemError) || thrown.code !== 'rate_limited') return undefined;
  const seconds = Math.max(1, thrown.retryAfterSeconds ?? defaultWaitSeconds);
  return seconds > maxWaitSeconds ? undefined : { seconds, quota: thrown.quota };
}

/** How many items to send at once after a refusal. */
function fittingSize(length: number, quota: number | undefined, refusals: number): number {
  if (quota) return Math.min(length, quota);
  return refusals > 1 ? Math.ceil(length / 2) : length;
}

function inBatchesOf<Entry>(size: number, batch: readonly Entry[]): Entry[][] {
  const count = Math.ceil(batch.length / size);
  return Array.from({ length: count }, (_, index) => batch.slice(index * size, (index + 1) * size));
}
