import { expect, test } from 'vitest';
import { visitsAt } from './visit.ts';

const minuteMs = 60_000;
const now = Date.parse('2026-11-20T09:00:00Z');
const first = { since: '2026-11-18T10:00:00.000Z', seen: '2026-11-19T10:00:00.000Z' };

test('a reload goes on with the visit, and tells the same again', () => {
  const hereAt = now - 5 * minuteMs;
  expect(visitsAt(now, { ...first, hereAt })).toEqual({ ...first, hereAt: now });
});

test('whoever was away is told what came after what they saw', () => {
  const hereAt = now - 31 * minuteMs;
  expect(visitsAt(now, { ...first, hereAt })).toEqual({ since: first.seen, seen: first.seen, hereAt: now });
});

test('whoever was not here yet is told about a week', () => {
  expect(visitsAt(now, undefined).since).toBe('2026-11-13T09:00:00.000Z');
});
