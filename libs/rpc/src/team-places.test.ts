import { expect, test } from 'vitest';
import { teamPlaces } from './team-places.ts';

const tooMany = expect.objectContaining({ code: 'unavailable', message: 'Ask again.' });
const times = (count: number, work: () => () => void) => Array.from({ length: count }, work);

test('a team has as many places as it may, and one more when one is given back', () => {
  const { take, taken } = teamPlaces({ inAll: 10, ofTeam: 3 }, 'Ask again.');
  const [first] = times(3, () => take('team'));
  expect(() => take('team')).toThrow(tooMany);
  first?.();
  expect(taken()).toBe(2);
  take('team');
  expect(() => take('team')).toThrow(tooMany);
});

test('a team that has all it may leaves room for others, up to the bound of all', () => {
  const { take } = teamPlaces({ inAll: 6, ofTeam: 3 }, 'Ask again.');
  times(3, () => take('wild'));
  const others = times(3, () => take('other'));
  expect(() => take('third')).toThrow(tooMany);
  for (const giveBack of others) giveBack();
  times(3, () => take('third'));
  expect(() => take('other')).toThrow(tooMany);
});
