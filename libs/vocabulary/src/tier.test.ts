import { expect, test } from 'vitest';
import { canonicalTier, privateNames } from './tier.ts';

test.each([
  ['admin', 'admin'],
  ['private', 'admin'],
  ['personal', 'admin'],
  ['PerSonal', 'admin'],
  ['team', 'team'],
  ['TEAM', 'team'],
  ['external', 'external'],
  ['client', 'external'],
  ['Company', 'external'],
  [' team\n', 'team'],
  ['\tPrivate ', 'admin'],
])('%s means tier %s', (name, tier) => {
  expect(canonicalTier(name)).toBe(tier);
});

test.each(['', ' ', 'teams', '__proto__', 'constructor', 'toString'])('%j names no tier', (name) => {
  expect(canonicalTier(name)).toBeUndefined();
});

test('every private name means tier admin', () => {
  expect(privateNames.map((name) => canonicalTier(name))).toEqual(privateNames.map(() => 'admin'));
});
