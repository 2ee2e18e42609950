import { expect, test } from 'vitest';
import { spendingOn, usageStoreInMemory } from '../spending/spending.fixture.ts';
import { createEmbedder, EmbeddingFailure } from './embedder.ts';
import { conceptModel, untilAborted } from './embedding.fixture.ts';

const never = new AbortController().signal;
const call = { payer: { teamId: 'team', memberId: 'ada' }, timeoutMs: 5_000, signal: never };
/** The bytes of the text and eight tokens around it. */
const worstCaseOfFerry = 13;

function setUp(caps = { member: 1_000_000, team: 1_000_000 }) {
  const usage = usageStoreInMemory();
  const model = conceptModel(['ferry']);
  const reported: unknown[] = [];
  const spending = spendingOn(usage, caps);
  const embedder = createEmbedder({
    model,
    spending,
    report: (failure) => reported.push(failure),
    clock: () => spending.time.now,
  });
  const totals = async () => {
    const all = await usage.totals('team', {
      from: '2026-11-01',
      to: '2026-11-30',
      after: undefined,
      limit: 9,
    });
    return all.map(({ memberId, model: name, calls, inputTokens }) => ({
      memberId,
      name,
      calls,
      inputTokens,
    }));
  };
  /** Everything that is still held back, as the worst case. */
  const open = async () => (await usage.expired('team', Number.POSITIVE_INFINITY, 100)).length;
  return { model, embedder, reported, totals, open, time: spending.time };
}

test('the count of the provider is charged to who asked; without it every byte is', async () => {
  const { model, embedder, totals, open } = setUp();
  await embedder.embed(['ferry', 'ferry'], call);
  expect(await totals()).toEqual([{ memberId: 'ada', name: 'embedder', calls: 1, inputTokens: 10 }]);
  model.script = async (texts) => ({ vectors: texts.map(() => Float32Array.of(1)) });
  await embedder.embed(['ferry'], { ...call, payer: { teamId: 'team' } });
  expect(await totals()).toContainEqual({
    memberId: '',
    name: 'embedder',
    calls: 1,
    inputTokens: worstCaseOfFerry,
  });
  expect(await open()).toBe(0);
});

test('a call that never began is given back; one that was cut is charged for what was sent', async () => {
  const { model, embedder, totals, open } = setUp();
  for (const begun of [false, true]) {
    model.script = async () => {
      throw new EmbeddingFailure('no', { begun });
    };
    await expect(embedder.embed(['ferry'], call)).rejects.toThrow('no');
  }
  expect(await totals()).toMatchObject([{ calls: 1, inputTokens: worstCaseOfFerry }]);
  expect(await open()).toBe(0);
});

test('over the cap nothing is sent', async () => {
  const { model, embedder } = setUp({ member: 0, team: 0 });
  await expect(embedder.embed(['ferry'], call)).rejects.toMatchObject({ code: 'daily_cap_exceeded' });
  expect(model.calls).toEqual([]);
});

test('a model that does not answer in time is broken off, and charged', async () => {
  const { model, embedder, totals, reported } = setUp();
  model.script = (_, signal) => untilAborted(signal);
  const late = embedder.embed(['ferry'], { ...call, timeoutMs: 20 });
  await expect(late).rejects.toMatchObject({ name: 'EmbeddingFailure', begun: true, timedOut: true });
  expect(await totals()).toMatchObject([{ inputTokens: worstCaseOfFerry }]);
  expect(reported).toHaveLength(1);
});

test('whoever goes away breaks the call off with their own reason, which is no fault of the model', async () => {
  const { model, embedder, reported, open } = setUp();
  const leaving = new AbortController();
  const reason = new Error('gone');
  model.script = (_, signal) => {
    queueMicrotask(() => leaving.abort(reason));
    return untilAborted(signal);
  };
  await expect(embedder.embed(['ferry'], { ...call, signal: leaving.signal })).rejects.toBe(reason);
  await embedder.settled();
  expect(reported).toEqual([]);
  expect(await open()).toBe(0);
});

test('vectors of another length than the first are a fault of the server', async () => {
  const { model, embedder } = setUp();
  expect(embedder.dimension()).toBeUndefined();
  await embedder.embed(['ferry'], call);
  model.script = async () => ({ vectors: [Float32Array.of(0.6, 0.8)] });
  await expect(embedder.embed(['ferry'], call)).rejects.toThrow('answered 2 numbers a text, before that 1');
  expect(embedder.dimension()).toBe(1);
});

test('of a fault that lasts the operator is told once in ten minutes', async () => {
  const { model, embedder, reported, time } = setUp();
  model.script = async () => {
    throw new EmbeddingFailure('no', { begun: false, refused: true });
  };
  for (let index = 0; index < 5; index += 1) await expect(embedder.embed(['a'], call)).rejects.toThrow();
  expect(reported).toHaveLength(1);
  expect(embedder.refusalsInARow()).toBe(5);
  time.now += 10 * 60_000;
  await expect(embedder.embed(['a'], call)).rejects.toThrow();
  expect(reported).toHaveLength(2);
  model.script = async () => undefined;
  await embedder.embed(['a'], call);
  expect(embedder.refusalsInARow()).toBe(0);
});
