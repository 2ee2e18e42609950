import { describe, expect, test, vi } from 'vitest';
import { createSingleFlight } from './single-flight.ts';

/** Work whose runs end when the test says so. */
function heldResults() {
  const runs: PromiseWithResolvers<number>[] = [];
  const { run, settled } = createSingleFlight(() => {
    const held = Promise.withResolvers<number>();
    runs.push(held);
    return held.promise;
  });
  return { run, settled, runs };
}

test('a caller gets a run that began after its call; those who wait share one', async () => {
  const { run, runs } = heldResults();
  const first = run('team');
  const [second, third] = [run('team'), run('team')];
  expect(runs).toHaveLength(1);
  runs[0]?.resolve(1);
  expect(await first).toBe(1);
  await expect.poll(() => runs.length).toBe(2);
  const fourth = run('team');
  runs[1]?.resolve(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await expect.poll(() => runs.length).toBe(3);
  runs[2]?.resolve(3);
  expect(await fourth).toBe(3);
});

test('a failure reaches the callers of that run only', async () => {
  const { run, runs } = heldResults();
  const [first, second] = [run('team'), run('team')];
  runs[0]?.reject(new Error('outage'));
  await expect(first).rejects.toThrow('outage');
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve(2);
  expect(await second).toBe(2);
});

test('keys do not wait for each other', () => {
  const { run, runs } = heldResults();
  run('one');
  run('two');
  expect(runs).toHaveLength(2);
});

test('it is settled when the runs that wait have ended too, however they ended', async () => {
  const { run, settled, runs } = heldResults();
  const [first, second] = [run('team'), run('team')];
  let isSettled = false;
  const end = settled().then(() => {
    isSettled = true;
  });
  runs[0]?.reject(new Error('outage'));
  await expect(first).rejects.toThrow('outage');
  await expect.poll(() => runs.length).toBe(2);
  expect(isSettled).toBe(false);
  runs[1]?.resolve(2);
  await end;
  expect(await second).toBe(2);
});

describe('a single-flight for bursts', () => {
  const burstSingleFlight = () =>
    createSingleFlight((_, call: () => Promise<string>) => call(), { forBursts: true }).run;

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
    const shared = burstSingleFlight();
    const { sent, untilSent, call } = calls();
    const answer = shared('page', call);
    await untilSent(1);
    sent[0]?.resolve('first');
    expect(await answer).toBe('first');
  });

  test('callers during a call share the next call', async () => {
    const shared = burstSingleFlight();
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
    const shared = burstSingleFlight();
    const { sent, untilSent, call } = calls();
    const answers = Promise.all([shared('page', call), shared('page', call)]);
    await untilSent(1);
    sent[0]?.resolve('shared');
    expect(await answers).toEqual(['shared', 'shared']);
    expect(sent).toHaveLength(1);
  });

  test('different keys do not wait for each other', async () => {
    const shared = burstSingleFlight();
    const { untilSent, call } = calls();
    void shared('page of one team', call);
    await untilSent(1);
    void shared('page of another', call);
    await untilSent(2);
  });

  test('a failure reaches the callers of that call only', async () => {
    const shared = burstSingleFlight();
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
    const shared = burstSingleFlight();
    const { sent, untilSent, call } = calls();
    void shared('page', call);
    await untilSent(1);
    const next = shared('page', call);
    await untilSent(2);
    sent[1]?.resolve('answered');
    expect(await next).toBe('answered');
  });
});
