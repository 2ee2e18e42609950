import { describe, expect, test } from 'vitest';
import { untilAborted, within } from './bounded-wait.ts';

describe('within a limit', () => {
  test('gives what the work gives in time, value or error', async () => {
    expect(await within(Promise.resolve(1), 60_000)).toBe(1);
    await expect(within(Promise.reject(new Error('no')), 60_000)).rejects.toThrow('no');
  });

  test('ends the wait at the limit, and nobody hears of a failure after it', async () => {
    const work = Promise.withResolvers<number>();
    expect(await within(work.promise, 1)).toBeUndefined();
    work.reject(new Error('late'));
  });
});

describe('until an abort', () => {
  test('gives what the work gives, value or error', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  test('an abort ends the wait at once, with its own reason, and the work goes on', async () => {
    const leaving = new AbortController();
    const work = Promise.withResolvers<number>();
    const waited = untilAborted(work.promise, leaving.signal);
    leaving.abort(new Error('gone'));
    await expect(waited).rejects.toThrow('gone');
    work.resolve(2);
    expect(await work.promise).toBe(2);
  });

  test('where the signal has aborted already there is no wait', async () => {
    const never = new Promise<number>(() => undefined);
    await expect(untilAborted(never, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});
