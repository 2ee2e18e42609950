import { expect, test, vi } from 'vitest';
import { createSharedCalls } from './shared-calls.ts';

/** A call that tells when it is sent, and is answered by hand. */
function calls() {
  const sent: PromiseWithResolvers<string>[] = [];
  return {
    sent,
    call() {
      const answer = Promise.withResolvers<string>();
      sent.push(answer);
      return answer.promise;
    },
  };
}

test('who asks alone is answered by a call of its own, sent at once', async () => {
  const shared = createSharedCalls<string>();
  const { sent, call } = calls();
  const answer = shared('page', call);
  expect(sent).toHaveLength(1);
  sent[0]?.resolve('first');
  expect(await answer).toBe('first');
});

test('who asks while a call is under way gets the answer of a later call, together with all others who wait', async () => {
  const shared = createSharedCalls<string>();
  const { sent, call } = calls();
  const first = shared('page', call);
  const later = Promise.all([shared('page', call), shared('page', call), shared('page', call)]);
  expect(sent).toHaveLength(1);
  sent[0]?.resolve('before');
  expect(await first).toBe('before');
  await vi.waitUntil(() => sent.length === 2);
  sent[1]?.resolve('after');
  expect(await later).toEqual(['after', 'after', 'after']);
  expect(sent).toHaveLength(2);
});

test('different questions do not wait for each other', async () => {
  const shared = createSharedCalls<string>();
  const { sent, call } = calls();
  void shared('page of one team', call);
  void shared('page of another', call);
  expect(sent).toHaveLength(2);
});

test('a failure reaches those who share the call, and the next ones are asked anew', async () => {
  const shared = createSharedCalls<string>();
  const { sent, call } = calls();
  const failing = shared('page', call);
  const next = shared('page', call);
  sent[0]?.reject(new Error('gone'));
  await expect(failing).rejects.toThrow('gone');
  await vi.waitUntil(() => sent.length === 2);
  sent[1]?.resolve('there again');
  expect(await next).toBe('there again');
});

test('a call that is not answered soon holds nobody up', async () => {
  const shared = createSharedCalls<string>();
  const { sent, call } = calls();
  void shared('page', call);
  const next = shared('page', call);
  await vi.waitUntil(() => sent.length === 2);
  sent[1]?.resolve('answered');
  expect(await next).toBe('answered');
});
