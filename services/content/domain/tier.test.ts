import { expect, test } from 'vitest';
import { canonicalTier, isPrivateAudience } from './tier.ts';

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

test.each(['admin', 'Private', ' personal\n', [['team', 'private']]])(
  'audience %j is private',
  (audience) => {
    expect(isPrivateAudience(audience)).toBe(true);
  },
);

test.each(['team', 'client', '', 'private club', undefined, null, 1, [['team']], { private: true }])(
  'audience %j is not private',
  (audience) => {
    expect(isPrivateAudience(audience)).toBe(false);
  },
);
