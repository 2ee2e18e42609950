import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { createEmbedder } from './domain/embedding/embedder.ts';
import type { EmbeddingStore } from './domain/embedding/embedding-store.ts';
import { createEmbeddingWorker } from './domain/embedding/embedding-worker.ts';
import type { PassageStore } from './domain/passages/passage-store.ts';
import { createQuestionEmbedder, type EmbeddingSearch } from './domain/search/passage-search.ts';
import type { Spending } from './domain/spending/spending.ts';

import { measureEmbeddingBacklog, meteredEmbeddingModel } from './metrics/metered-models.ts';
import type { EmbeddingModelSettings } from './model/model-settings.ts';
import { createOpenaiEmbeddingModel } from './model/openai-embedding-model.ts';
import type { IndexPool } from './search-index/index-pool.ts';

/**
 * Puts together all that is around the embedding model. Its work in the
 * background goes on until `close`, which breaks it off.
 */
export function startEmbedding(
  settings: EmbeddingModelSettings,
  dependencies: {
    embeddings: EmbeddingStore;
    passages: PassageStore;
    host: IndexPool;
    spending: Spending;
    clock: () => number;
    log: Log;
    metrics: Metrics;
  },
): EmbeddingSearch & { close(): Promise<void> } {
  const { embeddings, passages, host, spending, clock, log, metrics } = dependencies;
  const model = meteredEmbeddingModel(createOpenaiEmbeddingModel(settings), metrics);
  measureEmbeddingBacklog(metrics, () => host.figures().unembedded);
  const report = (failure: unknown) => log.warn({ err: failure }, 'embedding went wrong');
  const embedder = createEmbedder({ model, spending, report, clock });
  const worker = createEmbeddingWorker({ embeddings, passages, embedder, host, report, clock });
  return {
    questions: createQuestionEmbedder({ embedder, clock }),
    worker,
    async close() {
      await worker.close();
      await embedder.settled();
    },
  };
}
