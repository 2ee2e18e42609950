import { expect, test, vi } from 'vitest';
import { createBurstSingleFlight } from './burst-single-flight.ts';

/** Calls that are counted when they are made, and resolved by the test. */
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

test('a single caller gets a call of its own', async () => {
  const shared = createBurstSingleFlight<string>();
  const { sent, untilSent, call } = calls();
  const answer = shared('page', call);
  await untilSent(1);
  sent[0]?.resolve('first');
  expect(await answer).toBe('first');
});

test('callers during a call share the next call', async () => {
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

test('callers before a call is made share it', async () => {
  const shared = createBurstSingleFlight<string>();
  const { sent, untilSent, call } = calls();
  const answers = Promise.all([shared('page', call), shared('page', call)]);
  await untilSent(1);
  sent[0]?.resolve('shared');
  expect(await answers).toEqual(['shared', 'shared']);
  expect(sent).toHaveLength(1);
});

test('different keys do not wait for each other', async () => {
  const shared = createBurstSingleFlight<string>();
  const { untilSent, call } = calls();
  void shared('page of one team', call);
  await untilSent(1);
  void shared('page of another', call);
  await untilSent(2);
});

test('a failure reaches the callers of that call only', async () => {
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

test('a slow call delays nobody', async () => {
  const shared = createBurstSingleFlight<string>();
  const { sent, untilSent, call } = calls();
  void shared('page', call);
  await untilSent(1);
  const next = shared('page', call);
  await untilSent(2);
  sent[1]?.resolve('answered');
  expect(await next).toBe('answered');
});
