import { AppError } from '@teammemory/errors/app-error.ts';
import { expect, test } from 'vitest';
import { type Embedder, EmbeddingFailure } from '../embedding/embedder.ts';
import { conceptModel, embedderOf, untilAborted } from '../embedding/embedding.fixture.ts';
import { createQuestionEmbedder } from './passage-search.ts';

const asking = { payer: { teamId: 'team', memberId: 'ada' }, signal: new AbortController().signal };

function setUp(timeoutMs = 5_000) {
  const model = conceptModel(['ferry']);
  const embedder = embedderOf(model);
  const time = { now: 0 };
  return {
    model,
    embedder,
    time,
    questions: createQuestionEmbedder({ embedder, clock: () => time.now, timeoutMs }),
  };
}

test('a question gets its vector', async () => {
  const { questions } = setUp();
  expect(await questions.vectorOf('When does the ferry leave?', asking)).toEqual(Float32Array.of(1));
});

test('a model that is slow is not waited for', async () => {
  const { model, questions } = setUp(30);
  model.script = (_, signal) => untilAborted(signal);
  expect(await questions.vectorOf('ferry', asking)).toBeUndefined();
});

test('not even money that takes its time to be settled is waited for', async () => {
  const stuck: Embedder = { ...embedderOf(conceptModel()), embed: () => new Promise(() => undefined) };
  const questions = createQuestionEmbedder({ embedder: stuck, clock: () => 0, timeoutMs: 30 });
  expect(await questions.vectorOf('ferry', asking)).toBeUndefined();
});

test('after three failures nobody waits for the model for half a minute, then one tries again', async () => {
  const { model, questions, time } = setUp();
  model.script = async () => {
    throw new EmbeddingFailure('down', { begun: false });
  };
  for (let index = 0; index < 10; index += 1)
    expect(await questions.vectorOf('ferry', asking)).toBeUndefined();
  expect(model.calls).toHaveLength(3);
  time.now += 30_000;
  expect(await questions.vectorOf('ferry', asking)).toBeUndefined();
  expect(await questions.vectorOf('ferry', asking)).toBeUndefined();
  expect(model.calls).toHaveLength(4);
  time.now += 30_000;
  model.script = async () => undefined;
  expect(await questions.vectorOf('ferry', asking)).toBeDefined();
  expect(await questions.vectorOf('ferry', asking)).toBeDefined();
});

test('a member whose money is used up is answered without, and does not pause the others', async () => {
  const { embedder } = setUp();
  const poor: Embedder = {
    ...embedder,
    embed: async (texts, call) => {
      if (call.payer.memberId === 'poor') throw new AppError('daily_cap_exceeded', 'no');
      return embedder.embed(texts, call);
    },
  };
  const questions = createQuestionEmbedder({ embedder: poor, clock: () => 0 });
  const byPoor = { ...asking, payer: { teamId: 'team', memberId: 'poor' } };
  for (let index = 0; index < 5; index += 1)
    expect(await questions.vectorOf('ferry', byPoor)).toBeUndefined();
  expect(await questions.vectorOf('ferry', asking)).toBeDefined();
});

test('whoever goes away gets their own reason', async () => {
  const { model, questions } = setUp();
  const leaving = new AbortController();
  model.script = (_, signal) => untilAborted(signal);
  const asked = questions.vectorOf('ferry', { ...asking, signal: leaving.signal });
  leaving.abort(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
});
