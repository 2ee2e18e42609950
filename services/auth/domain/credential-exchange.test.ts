import { expect, test } from 'vitest';
import { createExchangeLimit, maxExchangesPerWindow } from './credential-exchange.ts';

const minuteMs = 60_000;

test('no minute, wherever it begins, admits more than the limit', () => {
  let now = 0;
  const limit = createExchangeLimit({ clock: () => now });
  const admitted: number[] = [];
  for (; now < 5 * minuteMs; now += 400) if (limit.admits('a')) admitted.push(now);
  for (const start of admitted) {
    const within = admitted.filter((time) => time >= start && time < start + minuteMs);
    expect(within.length).toBeLessThanOrEqual(maxExchangesPerWindow);
  }
  expect(admitted).toHaveLength(5 * maxExchangesPerWindow);
});

test('a credential does not use up the exchanges of another', () => {
  const limit = createExchangeLimit({ clock: () => 0 });
  while (limit.admits('a'));
  expect(limit.admits('b')).toBe(true);
});

test('a credential that is used on and on is not forgotten among those that are not', () => {
  let now = 0;
  const limit = createExchangeLimit({ clock: () => now });
  limit.admits('first');
  for (let exchanges = 0; exchanges < maxExchangesPerWindow; exchanges += 1) limit.admits('busy');
  now += minuteMs - 1;
  limit.admits('last');
  expect(limit.admits('busy')).toBe(false);
  now += 1;
  expect(limit.admits('busy')).toBe(true);
});
