import { expect, test } from 'vitest';
import { AppError, errorCodes } from './app-error.ts';

test('an error carries its code, its public message, its fields and its private cause', () => {
  const cause = new Error('private');
  const violations = [{ pointer: '/q', detail: 'is empty' }];
  expect(new AppError('invalid_request', 'No.', { cause, violations })).toMatchObject({
    name: 'AppError',
    code: 'invalid_request',
    message: 'No.',
    cause,
    violations,
  });
});

test('an error without fields has none, and without a cause no such member', () => {
  const error = new AppError('not_found', 'Nothing here.');
  expect(error.violations).toEqual([]);
  expect('cause' in error).toBe(false);
});

test('codes are snake_case and different', () => {
  for (const code of errorCodes) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(new Set(errorCodes).size).toBe(errorCodes.length);
});
