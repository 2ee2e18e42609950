import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test, vi } from 'vitest';
import { createKeyedMutex } from './keyed-mutex.ts';

test('works of one name run one after the other in their order, also after one has failed', async () => {
  const exclusively = createKeyedMutex({ maxWaiting: 5_000, refusal: 'Ask again.' });
  const seen: string[] = [];
  const work = (name: string, fails = false) =>
    exclusively('a', async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([work('first'), work('second', true), work('third')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(seen).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('works of other names do not wait', async () => {
  const exclusively = createKeyedMutex({ maxWaiting: 5_000, refusal: 'Ask again.' });
  const { promise, resolve } = Promise.withResolvers<string>();
  const held = exclusively('a', () => promise);
  expect(await exclusively('b', async () => 'done')).toBe('done');
  resolve('late');
  expect(await held).toBe('late');
});

test('a line that is too long takes no more, and goes on when it has emptied', async () => {
  const exclusively = createKeyedMutex({ maxWaiting: 5_000, refusal: 'Ask again.' });
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 5_000 }, () => exclusively('a', () => promise));
  await expect(exclusively('a', async () => 1)).rejects.toMatchObject({ code: 'unavailable' });
  resolve();
  await Promise.all(waiting);
  expect(await exclusively('a', async () => 1)).toBe(1);
});

test('a work whose turn comes too late for it is refused and not run, and the others go on', async () => {
  const exclusively = createKeyedMutex({ maxWaiting: 5_000, refusal: 'Ask again.' });
  const held = Promise.withResolvers<void>();
  const first = exclusively('a', () => held.promise);
  const run = vi.fn(async () => 'run');
  const impatient = exclusively('a', run, 10);
  const patient = exclusively('a', async () => 'done');
  const since = performance.now();
  await eventually('more than it waits', () => performance.now() - since > 10);
  held.resolve();
  await expect(impatient).rejects.toMatchObject({ code: 'unavailable' });
  expect(run).not.toHaveBeenCalled();
  expect(await patient).toBe('done');
  await first;
});
