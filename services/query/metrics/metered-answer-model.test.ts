import { AppError } from '@teammemory/errors/app-error.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { type ModelTurn, scriptedModel, silence } from '../domain/answer/answer-model.fixture.ts';
import { meteredAnswerModel } from './metered-models.ts';

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
