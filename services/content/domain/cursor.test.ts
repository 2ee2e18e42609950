import { AppError } from '@teammemory/errors/app-error.ts';
import { expect, test } from 'vitest';
import { type CursorScope, decodeCursor, encodeCursor } from './cursor.ts';

const scope: CursorScope = { list: 'items', teamId: 'team-1', tier: 'team' };
const issued = encodeCursor(scope, 1_795_000_000_123);
const [place = '', seal = ''] = issued.split('.');

test.each([0, 1, 1_795_000_000_123, 8_640_000_000_000_000])('a cursor for %i comes back', (afterMs) => {
  expect(decodeCursor(scope, encodeCursor(scope, afterMs))).toBe(afterMs);
});

test.each([
  ['another list', { ...scope, list: 'tasks' }],
  ['another team', { ...scope, teamId: 'team-2' }],
  ['another tier', { ...scope, tier: 'external' }],
] as const)('a cursor for %s is refused', (_, other) => {
  expect(() => decodeCursor(scope, encodeCursor(other, 5))).toThrow(AppError);
});

test.each([
  ['nothing', ''],
  ['text', 'cursor'],
  ['a number', '42'],
  ['no seal', `${place}.`],
  ['no place', `.${seal}`],
  ['another place', `${place}0.${seal}`],
  ['the same place in capitals', `${place.toUpperCase()}.${seal}`],
  ['a cut seal', issued.slice(0, -1)],
  ['a seal of other characters as long', `${place}.${'é'.repeat(11)}`],
  ['a third part', `${issued}.x`],
  ['a space', `${issued} `],
  ['a megabyte', '.'.repeat(1024 * 1024)],
])('a forged cursor is refused: %s', (_, forged) => {
  expect(() => decodeCursor(scope, forged)).toThrow(
    expect.objectContaining({
      code: 'invalid_cursor',
      violations: [{ pointer: '/cursor', detail: 'was not issued for this list, team and tier' }],
    }),
  );
});
