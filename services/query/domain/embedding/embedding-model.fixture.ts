import type { EmbeddingModel, Embeddings } from './embedding-model.ts';

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
