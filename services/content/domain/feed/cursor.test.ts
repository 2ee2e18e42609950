import { createHmac } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { expect, test } from 'vitest';
import { type CursorScope, createCursors } from './cursor.ts';

const scope: CursorScope = { list: 'items', teamId: 'team-1', tier: 'team' };
const key = Buffer.alloc(32, 7);
const cursors = createCursors({ key });
const issued = cursors.encode(scope, 1_795_000_000_123);
const [place = '', seal = ''] = issued.split('.');

test.each([0, 1, 1_795_000_000_123, 8_640_000_000_000_000])('a cursor for %i comes back', (afterMs) => {
  expect(cursors.decode(scope, cursors.encode(scope, afterMs))).toBe(afterMs);
});

test.each([
  ['another list', { ...scope, list: 'tasks' }],
  ['another team', { ...scope, teamId: 'team-2' }],
  ['another tier', { ...scope, tier: 'external' }],
  ['a folder', { ...scope, part: { prefix: 'p/', summary: false } }],
  ['a filter', { ...scope, part: { filter: 'open' } }],
  ['a summary', { ...scope, part: { prefix: '', summary: true } }],
] as const)('a cursor for %s is refused', (_, other) => {
  expect(() => cursors.decode(scope, cursors.encode(other, 5))).toThrow(AppError);
});

test('a cursor for a part is good for the same part only', () => {
  const texts = ['p/', 'p/|', 'whole|p/'];
  const parts: CursorScope[] = [
    ...texts.flatMap((prefix) => [true, false].map((summary) => ({ ...scope, part: { prefix, summary } }))),
    ...texts.map((filter) => ({ ...scope, part: { filter } })),
  ];
  for (const part of parts) {
    const cursor = cursors.encode(part, 5);
    const accepting = [scope, ...parts].filter((other) => {
      try {
        return cursors.decode(other, cursor) === 5;
      } catch {
        return false;
      }
    });
    expect(accepting).toEqual([part]);
  }
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
  expect(() => cursors.decode(scope, forged)).toThrow(
    expect.objectContaining({
      code: 'invalid_cursor',
      violations: [{ pointer: '/cursor', detail: 'was not issued for this list, team and tier' }],
    }),
  );
});

test('cursors of another installation are refused', () => {
  const others = createCursors({ key: Buffer.alloc(32, 8) });
  expect(() => cursors.decode(scope, others.encode(scope, 5))).toThrow(AppError);
});

test('a cursor that is sealed with what callers know is refused', () => {
  const time = '5';
  for (const text of [`items|team|${time}`, `team-1|items|team|${time}`]) {
    const forged = createHmac('sha256', 'team-1').update(text).digest('base64url').slice(0, 22);
    expect(() => cursors.decode(scope, `${time}.${forged}`)).toThrow(AppError);
  }
});
