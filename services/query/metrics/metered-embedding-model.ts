import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { inSpan } from '@teammemory/telemetry/span.ts';
import type { EmbeddingModel } from '../domain/embedding/embedding-model.ts';

/** Counts the texts that a model embeds, counts and times its calls by how they end, and makes each a span. */
export function meteredEmbeddingModel(model: EmbeddingModel, metrics: Metrics): EmbeddingModel {
  const observe = (outcome: string) =>
    metrics.histogram(
      'embedding_call_duration_seconds',
      'Calls to the embedding model by outcome.',
      'seconds',
      {
        outcome,
      },
    );
  const [succeeded, failed] = ['ok', 'failed'].map(observe);
  const countTexts = metrics.counter('embedded_texts_total', 'Passages and questions that got a vector.');

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
  metrics.gauge(
    'embedding_backlog_passages',
    'Passages in the indexes in memory that have no vector.',
    unembeddedPassages,
  );
}
