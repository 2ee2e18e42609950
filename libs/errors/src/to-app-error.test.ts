import { expect, test } from 'vitest';
import { AppError } from './app-error.ts';
import { toAppError } from './to-app-error.ts';

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
