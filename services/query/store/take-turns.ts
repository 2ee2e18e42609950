import { AppError } from '@teammemory/errors/app-error.ts';

/** Works of one name that may wait; past it the store cannot keep up. */
const waitingMax = 5_000;

/** Runs works of the same name one after the other, in the order in which they came, whatever becomes of each. */
export type TakeTurns = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Makes a set of lines, one for each name that anything waits for.
 * Its function throws AppError `unavailable` where too much waits already.
 */
export function createTurns(): TakeTurns {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>();
  return async (name, work) => {
    const line = lines.get(name) ?? { last: Promise.resolve(), length: 0 };
    if (line.length >= waitingMax) {
      throw new AppError('unavailable', 'Too much is waiting to be charged; try again shortly.');
    }
    lines.set(name, line);
    line.length += 1;
    const result = line.last.then(work);
    const leave = () => {
      line.length -= 1;
      if (line.length === 0) lines.delete(name);
    };
    line.last = result.then(leave, leave);
    return result;
  };
}
