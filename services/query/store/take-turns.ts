import { AppError } from '@teammemory/errors/app-error.ts';

/** Works of one name that may wait; past it the store cannot keep up. */
const waitingMax = 5_000;

/**
 * Runs works of the same name one after the other, in the order in which they came, whatever becomes of each.
 * @throws AppError `unavailable`, without running the work, where too much waits already, and where its turn came
 *   later than `waitMaxMs`: where each work before it took until its deadline, that is soon too long for its caller.
 */
export type TakeTurns = <Result>(
  name: string,
  work: () => Promise<Result>,
  waitMaxMs?: number,
) => Promise<Result>;

/** Makes a set of lines, one for each name that anything waits for. */
export function createTurns(): TakeTurns {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>();
  return async (name, work, waitMaxMs = Number.POSITIVE_INFINITY) => {
    const line = lines.get(name) ?? { last: Promise.resolve(), length: 0 };
    if (line.length >= waitingMax) throw tooMuch();
    lines.set(name, line);
    line.length += 1;
    const comeMs = performance.now();
    const result = line.last.then(() => {
      if (performance.now() - comeMs > waitMaxMs) throw tooMuch();
      return work();
    });
    const leave = () => {
      line.length -= 1;
      if (line.length === 0) lines.delete(name);
    };
    line.last = result.then(leave, leave);
    return result;
  };
}

function tooMuch(): AppError {
  return new AppError('unavailable', 'Too much is waiting to be charged; try again shortly.');
}
