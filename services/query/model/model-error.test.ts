import { APIConnectionError } from 'openai';
import { expect, test } from 'vitest';
import { answerModelFailure } from './untrusted-answers.ts';

/** What the client library throws where `fetch` failed with this code. */
function connectionError(code: string): APIConnectionError {
  const cause = new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) });
  return new APIConnectionError({ cause });
}

test('a call that was not sent costs nothing and is tried again; the log says why', () => {
  const failure = answerModelFailure(connectionError('CERT_HAS_EXPIRED'), false);
  expect(failure).toMatchObject({ begun: false, retryAfterMs: 300 });
  expect(failure.message).toBe('The model server could not be reached.');
  expect(String(failure.cause)).toContain('CERT_HAS_EXPIRED');
});

test('a connection that broke may have cost something, and is tried again', () => {
  expect(answerModelFailure(connectionError('ECONNRESET'), true)).toMatchObject({
    begun: true,
    retryAfterMs: 300,
  });
});
