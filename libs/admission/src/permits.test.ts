import { expect, test } from 'vitest';
import { createPermits, type PermitBounds } from './permits.ts';

const waiting = { max: 6, maxPerTeam: 3, maxMs: 60_000 };
const bounds: PermitBounds = { maxInAll: 10, maxPerAddress: 8, maxPerTeam: 6, maxPerKey: 4, waiting };
const of = (teamId: string, keyId = `key of ${teamId}`, address = `address of ${teamId}`) => ({
  teamId,
  keyId,
  address,
});

/** Each turn of the event loop serves one waiting request. */
async function allServed(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

/** Takes permits and records the order in which they were granted. */
function permits(changes: Partial<PermitBounds> = {}) {
  const made = createPermits({ ...bounds, ...changes }, 'Too many.');
  const given: string[] = [];
  const giveBacks = new Map<string, () => void>();
  const take = (name: string, holder: ReturnType<typeof of>, amount: number, signal?: AbortSignal) =>
    made.take(holder, amount, signal).then((giveBack) => {
      given.push(name);
      giveBacks.set(name, giveBack);
    });
  const giveBack = async (name: string) => {
    giveBacks.get(name)?.();
    await allServed();
  };
  return { ...made, given, take, giveBack };
}

test('each bound holds by itself, and released permits are free again', async () => {
  const { take, giveBack, given, held, waiting } = permits();
  await take('a', of('red'), 4);
  void take('same key', of('red'), 1);
  void take('same team', of('red', 'another key'), 3);
  await take('same team, smaller', of('red', 'third key'), 2);
  await take('other team', of('blue', 'blue', 'address of red'), 2);
  void take('same address', of('green', 'green', 'address of red'), 1);
  expect([held(), waiting()]).toEqual([8, 3]);
  await giveBack('a');
  expect(given).toEqual(['a', 'same team, smaller', 'other team', 'same key', 'same address']);
  await giveBack('a');
  await giveBack('other team');
  expect(given.at(-1)).toBe('same team');
  expect([held(), waiting()]).toEqual([7, 0]);
});

test('teams are served in turn, however many requests of one team wait', async () => {
  const { take, giveBack, given } = permits({ maxInAll: 1, waiting: { ...waiting, maxPerTeam: 6 } });
  await take('first', of('red'), 1);
  for (const name of ['red 1', 'red 2', 'red 3']) void take(name, of('red'), 1);
  for (const name of ['blue 1', 'blue 2']) void take(name, of('blue'), 1);
  for (let turn = 0; turn < 5; turn += 1) await giveBack(given.at(-1) ?? '');
  expect(given).toEqual(['first', 'red 1', 'blue 1', 'red 2', 'blue 2', 'red 3']);
});

test('a large request that waits for the bound of all is not starved', async () => {
  const { take, giveBack, given } = permits();
  await take('a', of('red'), 4);
  await take('b', of('blue'), 4);
  void take('large', of('green'), 4);
  void take('small', of('grey'), 1);
  expect(given).toEqual(['a', 'b']);
  await giveBack('a');
  expect(given).toEqual(['a', 'b', 'large', 'small']);
});

test('an amount above a bound is reduced to the bound', async () => {
  const { take, held } = permits();
  await take('too much', of('red'), 1_000);
  expect(held()).toBe(4);
});

test('too many waiting requests are refused, of a key, of a team and in all', async () => {
  const { take } = permits();
  for (const team of ['red', 'blue', 'green']) await take(team, of(team), 3);
  for (const team of ['red', 'blue']) {
    for (let index = 0; index < 2; index += 1) void take('waits', of(team), 4);
    await expect(take('one more', of(team), 4)).rejects.toMatchObject({ code: 'unavailable' });
    void take('waits', of(team, `another key of ${team}`), 4);
    const third = of(team, `third key of ${team}`);
    await expect(take('one more', third, 4)).rejects.toMatchObject({ code: 'unavailable' });
  }
  await expect(take('one more', of('green'), 4)).rejects.toMatchObject({ code: 'unavailable' });
});

test('a waiting request that is aborted lets others pass', async () => {
  const { take, given, waiting } = permits();
  await take('a', of('red'), 4);
  await take('b', of('blue'), 4);
  const leaving = new AbortController();
  const left = take('left', of('green'), 4, leaving.signal);
  const passed = take('passed', of('grey'), 2);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'unavailable' });
  await expect(take('gone', of('green'), 4, leaving.signal)).rejects.toMatchObject({ code: 'unavailable' });
  await passed;
  expect([given, waiting()]).toEqual([['a', 'b', 'passed'], 0]);
});

test('a request that waits too long is refused', async () => {
  const { take, giveBack, given } = permits({ waiting: { ...waiting, maxMs: 20 } });
  await take('a', of('red'), 4);
  const late = take('late', of('red'), 4);
  await expect(late).rejects.toMatchObject({ code: 'unavailable', message: 'Too many.' });
  await giveBack('a');
  expect(given).toEqual(['a']);
});

test('only a few holders that compute are served in one turn, even while permits are free', async () => {
  const { take, given } = permits({ areForWork: true });
  const work = async (name: string) => {
    const untilMs = performance.now() + 5;
    const made = take(name, of(name), 1);
    await made;
    while (performance.now() < untilMs);
  };
  const all = Promise.all(['red', 'blue', 'green', 'grey'].map(work));
  expect(given).toEqual([]);
  await new Promise(setImmediate);
  expect(given.length).toBeLessThan(4);
  await all;
  expect(given).toEqual(['red', 'blue', 'green', 'grey']);
});

test('without room to wait, whoever finds no permit is refused at once, and a team leaves room for others', () => {
  const { acquire, held } = createPermits({ maxInAll: 6, maxPerTeam: 3 }, 'Ask again.');
  const tooMany = expect.objectContaining({ code: 'unavailable', message: 'Ask again.' });
  const take = (teamId: string) => Array.from({ length: 3 }, () => acquire({ teamId }));
  const [first] = take('wild');
  expect(() => acquire({ teamId: 'wild' })).toThrow(tooMany);
  first?.();
  first?.();
  expect(held()).toBe(2);
  acquire({ teamId: 'wild' });
  const others = take('other');
  expect(() => acquire({ teamId: 'third' })).toThrow(tooMany);
  for (const giveBack of others) giveBack();
  take('third');
  expect(() => acquire({ teamId: 'other' })).toThrow(tooMany);
});

test('nobody who takes at once passes those that wait', async () => {
  const { take, giveBack, given, acquire } = permits();
  await take('a', of('red'), 4);
  await take('b', of('blue'), 4);
  void take('large', of('green'), 4);
  expect(() => acquire(of('grey'))).toThrow('Too many.');
  await giveBack('a');
  expect(given).toEqual(['a', 'b', 'large']);
  expect(acquire(of('grey'))).toBeTypeOf('function');
});
