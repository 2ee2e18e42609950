import { AppError } from '@teammemory/errors/app-error.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { type ModelTurn, scriptedModel, silence } from '../domain/answer/answer-model.fixture.ts';
import { EmbeddingFailure } from '../domain/embedding/embedder.ts';
import { conceptModel } from '../domain/embedding/embedding.fixture.ts';
import {
  countFallbacks,
  measureEmbeddingBacklog,
  meteredAnswerModel,
  meteredEmbeddingModel,
} from './metered-models.ts';

const prompt = { system: 'answer', user: 'question' };

/** Makes one call and returns the outcomes that were counted. */
async function outcomesOf(turn: ModelTurn, reason?: Error): Promise<string[]> {
  const metrics = createMetrics();
  const gone = new AbortController();
  if (reason !== undefined) setImmediate(() => gone.abort(reason));
  const options = { maxOutputTokens: 100, take: () => undefined, signal: gone.signal };
  await meteredAnswerModel(scriptedModel(turn), metrics)
    .write(prompt, options)
    .catch(() => undefined);
  const text = await metrics.registry.metrics();
  return [...text.matchAll(/teammemory_model_call_duration_seconds_count\{outcome="(\w+)"\} 1/g)].map(
    ([, one = '']) => one,
  );
}

test('a call is counted by how it ended', async () => {
  expect(await outcomesOf(['word'])).toEqual(['ok']);
  expect(await outcomesOf(['word', new Error('broken')])).toEqual(['failed']);
});

test('a call that a deadline ended has failed, one whose reader went away has not', async () => {
  expect(await outcomesOf([silence], new AppError('unavailable', 'too long'))).toEqual(['failed']);
  expect(await outcomesOf([silence], new Error('the reader went away'))).toEqual(['abandoned']);
});

test('texts that got a vector are counted, calls by how they end, and what is still to be done', async () => {
  const metrics = createMetrics();
  const model = conceptModel(['ferry']);
  const metered = meteredEmbeddingModel(model, metrics);
  measureEmbeddingBacklog(metrics, () => 7);
  const { signal } = new AbortController();
  await metered.embed(['a', 'b'], signal);
  model.script = async () => {
    throw new EmbeddingFailure('down', { begun: false });
  };
  await expect(metered.embed(['c'], signal)).rejects.toThrow('down');
  const text = await metrics.registry.metrics();
  expect(text).toContain('teammemory_embedded_texts_total 2');
  expect(text).toContain('teammemory_embedding_call_duration_seconds_count{outcome="ok"} 1');
  expect(text).toContain('teammemory_embedding_call_duration_seconds_count{outcome="failed"} 1');
  expect(text).toContain('teammemory_embedding_backlog_passages 7');
});

test('fallbacks are counted by reason, from 0 on', async () => {
  const metrics = createMetrics();
  const fellBack = countFallbacks(metrics);
  fellBack('silent');
  fellBack('silent');
  const text = await metrics.registry.metrics();
  expect(text).toContain('teammemory_model_fallbacks_total{reason="failed"} 0');
  expect(text).toContain('teammemory_model_fallbacks_total{reason="silent"} 2');
});
