import { expect, test } from 'vitest';
import { loggedError } from './logged-error.ts';

/** An error of a library, with the name that it goes by. */
const named = (name: string, message: string, fields: object = {}) =>
  Object.assign(new Error(message), { name, ...fields });

test('says what an error is, where it was thrown and why', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const logged = loggedError(new Error('no answer', { cause }));
  expect(logged).toMatchObject({
    type: 'Error',
    message: 'no answer',
    cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' },
  });
  expect(logged.stack).toContain('logged-error.test.ts');
});

test.each([
  ['a text that is no JSON', thrownBy(() => JSON.parse('canary')), 'SyntaxError'],
  ['a text that is no YAML', named('YAMLParseError', 'at line 1: canary'), 'YAMLParseError'],
  [
    'a row that MongoDB refused',
    named('MongoServerError', 'E11000 dup key: { row_key: "canary" }'),
    'MongoServerError',
  ],
])('does not quote %s', (_, error, type) => {
  const logged = loggedError(error);
  expect(logged).toMatchObject({ type, stack: expect.stringContaining(' at ') });
  expect(JSON.stringify(logged)).not.toContain('canary');
});

test('leaves out what else an error carries, and what is thrown instead of one', () => {
  const error = named('APIError', 'status 500', { request: 'canary', code: { text: 'canary' } });
  expect(JSON.stringify([loggedError(error), loggedError('canary')])).not.toContain('canary');
  expect(loggedError('canary')).toEqual({ type: 'string' });
});

test('a message of several lines is not taken for the stack', () => {
  const { stack } = loggedError(named('SyntaxError', 'first\n    at canary\n'));
  expect(stack).not.toContain('canary');
});

test('is bounded, also where causes go round in a circle', () => {
  const error = new Error('x'.repeat(100_000));
  error.cause = error;
  expect(JSON.stringify(loggedError(error)).length).toBeLessThan(20_000);
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
