import type { EmbeddingStore } from '../domain/embedding/embedding-store.ts';
import type { PassageStore } from '../domain/passages/passage-store.ts';
import type { UsageStore } from '../domain/spending/usage-store.ts';

/** Everything that the service keeps. */
export interface QueryStores {
  passages: PassageStore;
  embeddings: EmbeddingStore;
  usage: UsageStore;
  /** Throws where the stores cannot answer. */
  ready(): Promise<void>;
  /** Ends after the writes that wait. */
  close(): Promise<void>;
}
