import { expect, test } from 'vitest';
import { AppError, errorCodes, toAppError } from './app-error.ts';

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

test('an AppError stays what it is', () => {
  const error = new AppError('conflict', 'Somebody was faster.');
  expect(toAppError(error)).toBe(error);
});

test.each([
  ['a deadline that passed', AbortSignal.timeout(0), 'unavailable'],
  ['a caller who went away', AbortSignal.abort(), 'cancelled'],
])('%s is told from a fault', async (_, signal, code) => {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect(toAppError(signal.reason)).toMatchObject({ code, cause: signal.reason });
});

test.each([new Error('password=hunter2'), 'password=hunter2', null, undefined])(
  'anything foreign is internal, its words kept from the caller: %s',
  (thrown) => {
    const error = toAppError(thrown);
    expect(error.code).toBe('internal');
    expect(error.message).not.toContain('hunter2');
    expect(error.cause).toBe(thrown);
  },
);
