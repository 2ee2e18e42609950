import { expect, test } from 'vitest';
import type { DecisionFields } from './decision.ts';
import { differingFields } from './differing-fields.ts';

test('of the other fields those that I did not change are suggested as they are stored now', () => {
  const before: DecisionFields = {
    title: 'Before',
    body: '',
    status: 'proposed',
    audience: 'team',
    project: null,
    decided_on: null,
  };
  const stored = { ...before, title: 'Theirs', status: 'accepted' } as const;
  const mine = { ...before, title: 'Mine' };
  expect([...differingFields(before, stored, mine)]).toEqual([
    ['title', 'mine'],
    ['status', 'theirs'],
  ]);
});
