import { expect, test } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

const tooMany = expect.objectContaining({ code: 'unavailable', message: 'Ask again.' });
const times = (count: number, work: () => () => void) => Array.from({ length: count }, work);

test('a team has as many permits as it may, and one more when one is given back', () => {
  const { acquire, inUse } = createConcurrencyLimit({ maxInAll: 10, maxPerTeam: 3 }, 'Ask again.');
  const [first] = times(3, () => acquire('team'));
  expect(() => acquire('team')).toThrow(tooMany);
  first?.();
  expect(inUse()).toBe(2);
  acquire('team');
  expect(() => acquire('team')).toThrow(tooMany);
});

test('a team that has all it may leaves room for others, up to the bound of all', () => {
  const { acquire } = createConcurrencyLimit({ maxInAll: 6, maxPerTeam: 3 }, 'Ask again.');
  times(3, () => acquire('wild'));
  const others = times(3, () => acquire('other'));
  expect(() => acquire('third')).toThrow(tooMany);
  for (const giveBack of others) giveBack();
  times(3, () => acquire('third'));
  expect(() => acquire('other')).toThrow(tooMany);
});
