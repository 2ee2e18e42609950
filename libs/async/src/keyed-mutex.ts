import { AppError } from '@teammemory/errors/app-error.ts';

/** What a keyed mutex refuses. */
export interface KeyedMutexOptions {
  /** Calls per key that run or wait at once; beyond it calls are refused. */
  maxWaiting: number;
  /** The public message of a refusal. */
  refusal: string;
}

/**
 * Runs `work` after all earlier calls with the same key have ended, whether they failed or not.
 * @throws AppError `unavailable`, without running `work`, where too many calls wait already or this one waited longer
 *   than `maxWaitMs`.
 */
export type KeyedMutex = <Result>(
  key: string,
  work: () => Promise<Result>,
  maxWaitMs?: number,
) => Promise<Result>;

/** Makes a mutex for each key. `async-mutex` has neither keys nor a bound on what waits. */
export function createKeyedMutex({ maxWaiting, refusal }: KeyedMutexOptions): KeyedMutex {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();
  const refused = () => new AppError('unavailable', refusal);
  return async (key, work, maxWaitMs = Number.POSITIVE_INFINITY) => {
    const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (queue.length >= maxWaiting) throw refused();
    queues.set(key, queue);
    queue.length += 1;
    const calledMs = performance.now();
    const result = queue.last.then(() => {
      if (performance.now() - calledMs > maxWaitMs) throw refused();
      return work();
    });
    const leave = () => {
      queue.length -= 1;
      if (queue.length === 0) queues.delete(key);
    };
    queue.last = result.then(leave, leave);
    return result;
  };
}
