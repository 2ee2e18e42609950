import type { TeamIndex } from '../index/team-index.ts';
import type { IndexedPassage } from '../passages/passage.ts';
import type { Embedder } from './embedder.ts';
import { embeddingBatches } from './embedding-batches.ts';
import { EmbeddingFailure } from './embedding-failure.ts';
import type { EmbeddingPlace, EmbeddingStore, StoredEmbedding } from './embedding-store.ts';
import { embeddingDigest, embeddingText } from './embedding-text.ts';

/** A passage on a slow machine takes half a second, so a batch of 32 is given four times as long. */
const batchTimeoutMs = 60_000;

/**
 * Calls that the server may refuse one after the other before it is taken to refuse everything: to find two
 * bad texts in a batch of 32 takes seven.
 */
const maxRefusalsInARow = 16;

/** What is needed to give passages their vectors. */
export interface EmbeddingParts {
  embeddings: EmbeddingStore;
  embedder: Embedder;
}

/** A team whose passages get vectors, and until when. */
export interface EmbeddingWork {
  teamId: string;
  index: TeamIndex;
  signal: AbortSignal;
}

/** A text that needs a vector, and the passages of its item that have this text: mostly one. */
interface WantedText extends EmbeddingPlace {
  text: string;
  passages: IndexedPassage[];
}

/**
 * Makes the stored vectors of some items, and those in the index, fit their
 * present passages: removes those of texts that are gone, takes over what is
 * stored, embeds what is missing, in the name of the team, and stores it.
 *
 * Interrupted anywhere it can be repeated; what was stored is not embedded
 * again. Processes that do this for the same items at once may embed a text
 * twice, and leave the same rows.
 *
 * @throws what `Embedder.embed` throws, AppError `unavailable`.
 */
export async function reconcileEmbeddings(
  rowKeys: readonly string[],
  parts: EmbeddingParts,
  work: EmbeddingWork,
): Promise<void> {
  const { teamId, index } = work;
  const stored = await parts.embeddings.ofItems(teamId, rowKeys);
  const wanted = wantedTexts(rowKeys.flatMap((rowKey) => index.passagesOf(rowKey)));
  const gone = stored.filter((embedding) => !wanted.has(keyOf(embedding)));
  if (gone.length > 0) await parts.embeddings.remove(teamId, gone);
  forgetOtherDimension(index, parts.embedder);
  for (const embedding of stored) {
    const entry = wanted.get(keyOf(embedding));
    if (entry === undefined || !isCurrent(embedding, index, parts.embedder)) continue;
    putInto(index, entry, embedding.vector);
    wanted.delete(keyOf(embedding));
  }
  for (const batch of embeddingBatches([...wanted.values()])) await embedBatch(batch, parts, work);
}

function wantedTexts(passages: readonly IndexedPassage[]): Map<string, WantedText> {
  const wanted = new Map<string, WantedText>();
  for (const passage of passages) {
    const text = embeddingText(passage);
    const place = { rowKey: passage.rowKey, digest: embeddingDigest(text) };
    wanted.getOrInsertComputed(keyOf(place), () => ({ ...place, text, passages: [] })).passages.push(passage);
  }
  return wanted;
}

function keyOf({ rowKey, digest }: EmbeddingPlace): string {
  return digest + rowKey;
}

/** Whether a stored vector compares with those that the model gives now, as far as that is known. */
function isCurrent({ model, vector }: StoredEmbedding, index: TeamIndex, embedder: Embedder): boolean {
  const dimension = embedder.dimension() ?? (index.dimension() || vector.length);
  return model === embedder.model && vector.length === dimension;
}

/**
 * Has all vectors of an index made anew where they are of another dimension than
 * those that the model gives now, for a server may change under the same name.
 */
export function forgetOtherDimension(index: TeamIndex, embedder: Embedder): void {
  const dimension = embedder.dimension();
  if (dimension !== undefined && index.dimension() !== 0 && index.dimension() !== dimension)
    index.forgetVectors();
}

/**
 * Embeds and stores a batch. Where the server refuses the texts, or takes too
 * long for them, it is tried in halves, so that a slow server gets ahead, and one
 * text which it cannot take does not keep the others out; that one stays without
 * a vector while the index is in memory.
 */
async function embedBatch(
  batch: readonly WantedText[],
  parts: EmbeddingParts,
  work: EmbeddingWork,
): Promise<void> {
  const { embeddings, embedder } = parts;
  const { teamId, index, signal } = work;
  const texts = batch.map(({ text }) => text);
  let vectors: readonly Float32Array[];
  try {
    vectors = await embedder.embed(texts, { payer: { teamId }, timeoutMs: batchTimeoutMs, signal });
  } catch (error) {
    if (!(error instanceof EmbeddingFailure) || !(error.refused || error.timedOut)) throw error;
    if (batch.length > 1) {
      const middle = batch.length >> 1;
      await embedBatch(batch.slice(0, middle), parts, work);
      await embedBatch(batch.slice(middle), parts, work);
      return;
    }
    if (error.timedOut || embedder.refusalsInARow() > maxRefusalsInARow) throw error;
    return;
  }
  const made = batch.flatMap((entry, place) => {
    const vector = vectors[place];
    return vector ? [{ entry, vector }] : [];
  });
  const { model } = embedder;
  await embeddings.save(
    teamId,
    made.map(({ entry: { rowKey, digest }, vector }) => ({ rowKey, digest, model, vector })),
  );
  forgetOtherDimension(index, embedder);
  for (const { entry, vector } of made) putInto(index, entry, vector);
}

function putInto(index: TeamIndex, { passages }: WantedText, vector: Float32Array): void {
  for (const passage of passages) index.embed(passage, vector);
}
