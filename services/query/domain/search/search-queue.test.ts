import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { createSearchQueue } from '../search/search-queue.ts';

const never = new AbortController().signal;
const limits = { underWay: 2, ofTeam: 3, inAll: 5, waitMs: 60_000 };
const unavailable = expect.objectContaining({ code: 'unavailable' });

/** A queue whose searches end when the test says so. */
function setUp(changed: Partial<typeof limits> = {}) {
  const queue = createSearchQueue({ ...limits, ...changed });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (teamId: string, name: string, signal = never) =>
    queue.run(teamId, signal, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string) => {
    await eventually(`the start of ${name}`, () => ends.has(name));
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { queue, started, ask, end };
}

test('teams are served in turn, one search each, however many one of them asks', async () => {
  const { started, ask, end } = setUp({ underWay: 1 });
  const all = [ask('a', 'a1'), ask('a', 'a2'), ask('a', 'a3'), ask('b', 'b1'), ask('c', 'c1')];
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) await end(name);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  expect(await Promise.all(all)).toHaveLength(5);
});

test('searches of other teams go on beside one that takes long', async () => {
  const { started, ask, end } = setUp();
  const long = ask('a', 'a1');
  const waiting = ask('a', 'a2');
  for (const other of ['b', 'c']) expect(await Promise.all([ask(other, other), end(other)])).toContain(other);
  expect(started).toEqual(['a1', 'b', 'c']);
  await Promise.all([end('a1'), long]);
  await Promise.all([end('a2'), waiting]);
});

test('what waits is bounded for a team and in all, and refused at once beyond', async () => {
  const { queue, ask, end } = setUp({ underWay: 1 });
  const first = ask('a', 'a1');
  const ofA = ['a2', 'a3', 'a4'].map((name) => ask('a', name));
  await expect(ask('a', 'a5')).rejects.toEqual(unavailable);
  const others = ['b1', 'c1'].map((name) => ask(name, name));
  await expect(ask('d', 'd1')).rejects.toEqual(unavailable);
  expect(queue.waiting()).toBe(5);
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'a4']) await end(name);
  expect(await Promise.all([first, ...ofA, ...others])).toHaveLength(6);
  expect(queue.waiting()).toBe(0);
});

test('whoever goes away while waiting leaves the queue, and is never searched for', async () => {
  const { queue, started, ask, end } = setUp({ underWay: 1 });
  const first = ask('a', 'a1');
  const leaving = new AbortController();
  const left = ask('a', 'a2', leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(ask('b', 'b1', leaving.signal)).rejects.toThrow('gone');
  expect(queue.waiting()).toBe(0);
  await Promise.all([end('a1'), first]);
  expect(started).toEqual(['a1']);
});

test('whoever has waited for too long is told so', async () => {
  const { ask, end } = setUp({ underWay: 1, waitMs: 20 });
  const first = ask('a', 'a1');
  await expect(ask('a', 'a2')).rejects.toEqual(unavailable);
  await Promise.all([end('a1'), first]);
});

test('a search that fails makes room for the next', async () => {
  const { queue, ask, end } = setUp({ underWay: 1 });
  await expect(queue.run('a', never, () => Promise.reject(new Error('fault')))).rejects.toThrow('fault');
  expect(await Promise.all([ask('a', 'a1'), end('a1')])).toContain('a1');
});
