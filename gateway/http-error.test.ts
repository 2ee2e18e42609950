import { readFileSync } from 'node:fs';
import { AppError } from '@teammemory/errors/app-error.ts';
import { tableRows } from '@teammemory/testkit/markdown-table.ts';
import { expect, test } from 'vitest';
import { httpAnswers, problemFrom, retryAfterSeconds } from './http-error.ts';

const resetAt = Date.parse('2026-11-22T00:00:00.000Z');

function capped(spentMicroDollars: number): AppError {
  const dailyCap = { scope: 'member' as const, capMicroDollars: 5_000_000, spentMicroDollars, resetAt };
  return new AppError('daily_cap_exceeded', 'Used up.', { dailyCap });
}

test('a reached cap has its scope, its amounts in dollars and its end at the top level', () => {
  expect(problemFrom(capped(4_999_999), 'r1')).toEqual({
    type: '/problems/daily_cap_exceeded',
    title: 'Daily cap reached',
    status: 429,
    detail: 'Used up.',
    code: 'daily_cap_exceeded',
    request_id: 'r1',
    scope: 'member',
    cap_usd: 5,
    spent_usd: 4.999999,
    reset_at: '2026-11-22T00:00:00.000Z',
  });
});

test.each([
  [1, '0.000001'],
  [290_000, '0.29'],
  [9_999_999_999_999, '9999999.999999'],
])('%i micro-dollars are written as %s, without more decimals', (amount, decimal) => {
  expect(JSON.stringify(problemFrom(capped(amount), 'r1'))).toContain(`"spent_usd":${decimal},`);
});

test('Retry-After is the end of the day, a second or nothing', () => {
  expect(retryAfterSeconds(capped(0), resetAt - 86_400_000)).toBe(86_400);
  expect(retryAfterSeconds(capped(0), resetAt - 1_001)).toBe(2);
  expect(retryAfterSeconds(capped(0), resetAt + 5)).toBe(1);
  expect(retryAfterSeconds(new AppError('unavailable', 'Away.'), resetAt)).toBe(1);
  expect(retryAfterSeconds(new AppError('not_found', 'Nothing.'), resetAt)).toBeUndefined();
});

test('docs/errors.md gives each code the status that the gateway answers', () => {
  const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');
  const answered = Object.entries(httpAnswers).map(([code, { status }]) => [code, String(status)]);
  expect(tableRows(page, 'Codes').toSorted()).toEqual(answered.toSorted());
});
