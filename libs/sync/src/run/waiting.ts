import { setTimeout as delay } from 'node:timers/promises';
import { ProblemError } from '@teammemory/client/problem-error.ts';
import type { SyncEvent } from '../summary.ts';

/** Used if a refusal names no time. */
const defaultWaitSeconds = 10;
/** The service never asks for more than a minute, but a proxy might. */
const maxWaitSeconds = 300;
/** Waits in a row without anything getting through. */
const maxWaits = 30;

export interface Waiting {
  /**
   * Calls `work` again after each refusal for the rate limit, when the service allows it. `writes`: what the call needs of the
   * limit; waiting for more than the limit ever allows would be useless.
   */
  through<Result>(writes: number, work: () => Promise<Result>): Promise<Result>;
}

/** Makes one wait for all calls of a run that go on at the same time: who is refused makes all of them wait. */
export function createWaiting(
  signal: AbortSignal,
  report: (event: SyncEvent) => void,
  sleep: (ms: number, signal: AbortSignal) => Promise<void> = (ms, until) =>
    delay(ms, undefined, { signal: until }),
): Waiting {
  let pause: Promise<void> | undefined;
  const wait = (seconds: number, quota: number | undefined) => {
    if (pause !== undefined) return pause;
    report({ kind: 'waiting', seconds, ...(quota !== undefined && { writes_per_minute: quota }) });
    pause = sleep(seconds * 1000, signal).finally(() => {
      pause = undefined;
    });
    return pause;
  };
  return {
    through: async (writes, work) => {
      for (let waits = 0; ; waits++) {
        await pause;
        signal.throwIfAborted();
        try {
          return await work();
        } catch (thrown) {
          const seconds = refusedFor(thrown, writes);
          if (seconds === undefined || waits === maxWaits) throw thrown;
          await wait(seconds, (thrown as ProblemError).quota);
        }
      }
    },
  };
}

/** Returns how long to wait, or undefined if trying again is useless. */
function refusedFor(thrown: unknown, writes: number): number | undefined {
  if (!(thrown instanceof ProblemError) || thrown.code !== 'rate_limited') return undefined;
  if (thrown.quota !== undefined && thrown.quota < writes) return undefined;
  const seconds = Math.max(1, thrown.retryAfterSeconds ?? defaultWaitSeconds);
  return seconds > maxWaitSeconds ? undefined : seconds;
}

/** Runs `work` for every entry, at most `limit` at a time. Rejects with the first error, after what had begun has ended. */
export async function forEachAtOnce<Entry>(
  entries: Iterable<Entry>,
  limit: number,
  work: (entry: Entry) => Promise<void>,
): Promise<void> {
  const iterator = entries[Symbol.iterator]();
  let failure: { cause: unknown } | undefined;
  const worker = async () => {
    for (let next = iterator.next(); !next.done && failure === undefined; next = iterator.next()) {
      try {
        await work(next.value);
      } catch (cause) {
        failure ??= { cause };
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (failure !== undefined) throw failure.cause;
}
