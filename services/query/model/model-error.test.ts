import { APIConnectionError } from 'openai';
import { expect, test } from 'vitest';
import { answerModelFailure } from './model-error.ts';

/** What the client library throws where `fetch` failed with this code. */
function connectionError(code: string): APIConnectionError {
  const cause = new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) });
  return new APIConnectionError({ cause });
}

test.for(['CONNECT_TIMEOUT', 'ECONNREFUSED', 'ENOTFOUND'])(
  'a connection that ended with %s reached no server: it costs nothing and is tried again',
  (code) => {
    const failure = answerModelFailure(connectionError(code));
    expect(failure).toMatchObject({ begun: false, retryAfterMs: 300 });
    expect(String(failure.cause)).toContain(code);
  },
);

test('a connection that broke may have cost something, and is tried again', () => {
  expect(answerModelFailure(connectionError('ECONNRESET'))).toMatchObject({
    begun: true,
    retryAfterMs: 300,
  });
});
