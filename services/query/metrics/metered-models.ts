import { AppError } from '@teammemory/errors/app-error.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { inSpan, openSpan } from '@teammemory/telemetry/span.ts';
import type { AnswerModel } from '../domain/answer/answer-model.ts';
import type { FallbackReason } from '../domain/answer/answer-model-call.ts';
import type { EmbeddingModel } from '../domain/embedding/embedder.ts';

/** Counts the answers of quotes that stand in for written ones, by why. */
export function countFallbacks(metrics: Metrics): (reason: FallbackReason) => void {
  const failed = metrics.counter('teammemory_model_fallbacks_total', { reason: 'failed' });
  const silent = metrics.counter('teammemory_model_fallbacks_total', { reason: 'silent' });
  const raise: Record<FallbackReason, () => void> = { failed, silent };
  return (reason) => raise[reason]();
}

/** Counts and times the calls of a model by how they end, and makes each a span. */
export function meteredAnswerModel(model: AnswerModel, metrics: Metrics): AnswerModel {
  const observe = (outcome: string) =>
    metrics.histogram('teammemory_model_call_duration_seconds', {
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

/** Counts the texts that a model embeds, counts and times its calls by how they end, and makes each a span. */
export function meteredEmbeddingModel(model: EmbeddingModel, metrics: Metrics): EmbeddingModel {
  const observe = (outcome: string) =>
    metrics.histogram('teammemory_embedding_call_duration_seconds', {
      outcome,
    });
  const [succeeded, failed] = ['ok', 'failed'].map(observe);
  const countTexts = metrics.counter('teammemory_embedded_texts_total');

  return {
    ...model,
    async embed(texts, signal) {
      const startedMs = performance.now();
      let ended = failed;
      try {
        const embeddings = await inSpan('embed', 'client', () => model.embed(texts, signal));
        ended = succeeded;
        countTexts(texts.length);
        return embeddings;
      } finally {
        ended?.((performance.now() - startedMs) / 1000);
      }
    },
  };
}

/** Measures how far the work in the background has come. */
export function measureEmbeddingBacklog(metrics: Metrics, unembeddedPassages: () => number): void {
  metrics.gauge('teammemory_embedding_backlog_passages', unembeddedPassages);
}
