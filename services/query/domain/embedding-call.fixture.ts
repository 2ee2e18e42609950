import { createEmbedder, type Embedder } from './embedding-call.ts';
import type { EmbeddingModel } from './embedding-model.ts';
import { spendingOn } from './spending.fixture.ts';
import { usageStoreInMemory } from './usage-store.fixture.ts';
import type { Caps } from './usage-store.ts';

const plenty: Caps = { member: 1_000_000, team: 1_000_000 };

/** The way to a model, with caps in micro-dollars, and a clock that the test moves. */
export function embedderOf(model: EmbeddingModel, caps = plenty): Embedder & { time: { now: number } } {
  const spending = spendingOn(usageStoreInMemory(), caps);
  const { time } = spending;
  return { time, ...createEmbedder({ model, spending, report: () => undefined, clock: () => time.now }) };
}
