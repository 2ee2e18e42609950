import { expect, test, vi } from 'vitest';
import { createBurstSingleFlight } from './burst-single-flight.ts';

/** A call that tells when it is sent, and is answered by hand. */
function calls() {
  const sent: PromiseWithResolvers<string>[] = [];
  return {
    sent,
    untilSent: (count: number) => vi.waitUntil(() => sent.length === count, { interval: 1 }),
    call() {
      const answer = Promise.withResolvers<string>();
      sent.push(answer);
      return answer.promise;
    },
  };
}

test('who asks alone is answered by a call of its own', async () => {
  const shared = createBurstSingleFlight<string>();
  const { sent, untilSent, call } = calls();
  const answer = shared('page', call);
  await untilSent(1);
  sent[0]?.resolve('first');
  expect(await answer).toBe('first');
});

test('who asks while a call is under way gets the answer of a later call, together with all others who wait', async () => {
  const shared = createBurstSingleFlight<string>();
  const { sent, untilSent, call } = calls();
  const first = shared('page', call);
  await untilSent(1);
  const later = Promise.all([shared('page', call), shared('page', call), shared('page', call)]);
  expect(sent).toHaveLength(1);
  sent[0]?.resolve('before');
  expect(await first).toBe('before');
  await untilSent(2);
  sent[1]?.resolve('after');
  expect(await later).toEqual(['after', 'after', 'after']);
  expect(sent).toHaveLength(2);
});

test('those who ask before a call is sent share it', async () => {
  const shared = createBurstSingleFlight<string>();
  const { sent, untilSent, call } = calls();
  const answers = Promise.all([shared('page', call), shared('page', call)]);
  await untilSent(1);
  sent[0]?.resolve('shared');
  expect(await answers).toEqual(['shared', 'shared']);
  expect(sent).toHaveLength(1);
});

test('different questions do not wait for each other', async () => {
  const shared = createBurstSingleFlight<string>();
  const { untilSent, call } = calls();
  void shared('page of one team', call);
  await untilSent(1);
  void shared('page of another', call);
  await untilSent(2);
});

test('a failure reaches those who share the call, and the next ones are asked anew', async () => {
  const shared = createBurstSingleFlight<string>();
  const { sent, untilSent, call } = calls();
  const failing = shared('page', call);
  await untilSent(1);
  const next = shared('page', call);
  sent[0]?.reject(new Error('gone'));
  await expect(failing).rejects.toThrow('gone');
  await untilSent(2);
  sent[1]?.resolve('there again');
  expect(await next).toBe('there again');
});

test('a call that is not answered soon holds nobody up', async () => {
  const shared = createBurstSingleFlight<string>();
  const { sent, untilSent, call } = calls();
  void shared('page', call);
  await untilSent(1);
  const next = shared('page', call);
  await untilSent(2);
  sent[1]?.resolve('answered');
  expect(await next).toBe('answered');
});
