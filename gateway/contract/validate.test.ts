import { AppError } from '@teammemory/errors/app-error.ts';
import { expect, test } from 'vitest';
import { pageParameters } from '../feed/contract.ts';
import { pushBody } from '../items/contract.ts';
import { queryBody, searchQuery } from '../query/contract.ts';
import { validate } from './validate.ts';

function pointers(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error.violations.map(({ pointer }) => pointer);
    throw error;
  }
  return [];
}

test('every fault of a request has a JSON Pointer', () => {
  const parameters = { limit: '0', since: ['a', 'b'], include_deleted: 'maybe' };
  expect(pointers(() => validate(pageParameters, parameters)).sort()).toEqual([
    '/include_deleted',
    '/limit',
    '/since',
  ]);
  expect(pointers(() => validate(pushBody, { items: {} }))).toEqual(['/items']);
  expect(pointers(() => validate(pushBody, null))).toEqual(['']);
  expect(pointers(() => validate(queryBody, { q: 7 }))).toEqual(['/q']);
});

test('a limit above 200 is taken as 200, whatever its size', () => {
  for (const limit of ['200', '201', '0201', '9'.repeat(400)]) {
    expect(validate(pageParameters, { limit }).limit).toBe(200);
  }
});

test('unknown parameters and members are ignored', () => {
  expect(validate(pageParameters, { fields: 'x' })).toEqual({});
  expect(validate(queryBody, { q: 'x', model: 'y' })).toEqual({ q: 'x' });
});

test('a search finds 10 passages where no limit is given, and at most 50', () => {
  const limitOf = (query: object) => validate(searchQuery, { q: 'x', ...query }).limit;
  expect(limitOf({})).toBe(10);
  for (const [limit, taken] of [
    ['1', 1],
    ['50', 50],
    ['51', 50],
    ['9'.repeat(400), 50],
  ] as const) {
    expect(limitOf({ limit })).toBe(taken);
  }
});

test.for([
  ['asked', queryBody],
  ['searched for', searchQuery],
] as const)('a question that is %s has 1 to 4,000 code points of well-formed Unicode', ([, schema]) => {
  const refused = (q: string) => pointers(() => validate<typeof schema>(schema, { q })).length > 0;
  for (const blank of [' ', '\n\t', '\u00a0\u2003']) expect(refused(blank)).toBe(true);
  expect(refused('')).toBe(true);
  expect(refused('\u{1f600}'.repeat(4_000))).toBe(false);
  expect(refused('\u{1f600}'.repeat(4_001))).toBe(true);
  expect(refused('a'.repeat(4_001))).toBe(true);
  expect(refused('\ud800')).toBe(true);
});
