import { AppError } from '@teammemory/errors/app-error.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { openSpan } from '@teammemory/telemetry/span.ts';
import type { AnswerModel } from '../domain/answer/answer-model.ts';

/** Counts and times the calls of a model by how they end, and makes each a span. */
export function meteredAnswerModel(model: AnswerModel, metrics: Metrics): AnswerModel {
  const observe = (outcome: string) =>
    metrics.histogram('model_call_duration_seconds', 'Calls to the model by outcome.', 'seconds', {
      outcome,
    });
  const [succeeded, failed, abandoned] = ['ok', 'failed', 'abandoned'].map(observe);

  return {
    ...model,
    async write(prompt, options) {
      const span = openSpan('model', 'client');
      const startedMs = performance.now();
      let ended = succeeded;
      let failure: unknown;
      try {
        await model.write(prompt, options);
      } catch (error) {
        failure = error;
        ended = isAbandoned(options.signal) ? abandoned : failed;
        throw error;
      } finally {
        ended?.((performance.now() - startedMs) / 1000);
        span.end({}, failure);
      }
    },
  };
}

/** A deadline of ours ends a call by an AppError, and then it is the model that failed. */
function isAbandoned(signal: AbortSignal): boolean {
  return signal.aborted && !(signal.reason instanceof AppError);
}
