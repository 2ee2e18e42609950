import { spendingOn, usageStoreInMemory } from '../spending/spending.fixture.ts';
import type { Caps } from '../spending/usage-store.ts';
import { createEmbedder, type Embedder, type EmbeddingModel, type Embeddings } from './embedder.ts';
import type { EmbeddingPlace, EmbeddingStore, StoredEmbedding } from './embedding-store.ts';

const plenty: Caps = { member: 1_000_000, team: 1_000_000 };

/** The way to a model, with caps in micro-dollars, and a clock that the test moves. */
export function embedderOf(model: EmbeddingModel, caps = plenty): Embedder & { time: { now: number } } {
  const spending = spendingOn(usageStoreInMemory(), caps);
  const { time } = spending;
  return { time, ...createEmbedder({ model, spending, report: () => undefined, clock: () => time.now }) };
}

/** What a scripted model does with a call instead of embedding; gives nothing where it should embed after all. */
export type EmbeddingScript = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<Embeddings | undefined>;

/** A model whose vectors tell which of some concepts a text is about, each a list of words that mean the same. */
export function conceptModel(...concepts: readonly string[][]): EmbeddingModel & {
  calls: (readonly string[])[];
  script: EmbeddingScript;
} {
  const calls: (readonly string[])[] = [];
  const model = {
    name: 'embedder',
    calls,
    script: (async () => undefined) as EmbeddingScript,
    async embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings> {
      calls.push(texts);
      const scripted = await model.script(texts, signal);
      return scripted ?? { vectors: texts.map((text) => conceptVector(text, concepts)), inputTokens: 10 };
    },
  };
  return model;
}

/** The unit vector of a text; every text is a little about everything. */
export function conceptVector(text: string, concepts: readonly string[][]): Float32Array {
  const found = concepts.map((words) => (words.some((word) => text.includes(word)) ? 1 : 0.01));
  const length = Math.hypot(...found);
  return Float32Array.from(found, (value) => value / length);
}

/** For a script: waits until the call is broken off. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** A store in memory, for tests of the domain; the contract suite holds for it too. */
export function embeddingStoreInMemory(): EmbeddingStore {
  const teams = new Map<string, Map<string, StoredEmbedding>>();
  const rowsOf = (teamId: string) => teams.getOrInsertComputed(teamId, () => new Map());
  const keyOf = ({ rowKey, digest }: EmbeddingPlace) => JSON.stringify([rowKey, digest]);
  return {
    async ofItems(teamId, rowKeys) {
      return structuredClone(
        rowsOf(teamId)
          .values()
          .filter(({ rowKey }) => rowKeys.includes(rowKey))
          .toArray(),
      );
    },
    async save(teamId, embeddings) {
      for (const embedding of embeddings) rowsOf(teamId).set(keyOf(embedding), structuredClone(embedding));
    },
    async erase(teamId, rowKeys) {
      for (const row of [...rowsOf(teamId).values()])
        if (rowKeys.includes(row.rowKey)) rowsOf(teamId).delete(keyOf(row));
    },
    async remove(teamId, places) {
      for (const place of places) rowsOf(teamId).delete(keyOf(place));
    },
  };
}
