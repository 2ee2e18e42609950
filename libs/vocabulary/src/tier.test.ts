import { expect, test } from 'vitest';
import { canonicalTier } from './tier.ts';

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
])('%s means tier %s', (name, tier) => {
  expect(canonicalTier(name)).toBe(tier);
});

test.each(['', ' team', 'teams', '__proto__', 'constructor', 'toString'])('%j names no tier', (name) => {
  expect(canonicalTier(name)).toBeUndefined();
});
