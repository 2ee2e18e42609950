import { spendingOn } from '../spending/spending.fixture.ts';
import { usageStoreInMemory } from '../spending/usage-store.fixture.ts';
import type { Caps } from '../spending/usage-store.ts';
import { createEmbedder, type Embedder } from './embedder.ts';
import type { EmbeddingModel } from './embedding-model.ts';

const plenty: Caps = { member: 1_000_000, team: 1_000_000 };

/** The way to a model, with caps in micro-dollars, and a clock that the test moves. */
export function embedderOf(model: EmbeddingModel, caps = plenty): Embedder & { time: { now: number } } {
  const spending = spendingOn(usageStoreInMemory(), caps);
  const { time } = spending;
  return { time, ...createEmbedder({ model, spending, report: () => undefined, clock: () => time.now }) };
}
