import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { EmbeddingFailure } from '../domain/embedding/embedder.ts';
import { conceptModel } from '../domain/embedding/embedding.fixture.ts';
import { measureEmbeddingBacklog, meteredEmbeddingModel } from './metered-models.ts';

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
