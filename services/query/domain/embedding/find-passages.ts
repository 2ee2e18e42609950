import type { Memory, Viewer } from '../index/memory.ts';
import type { Findings } from '../index/view-index.ts';
import type { Payer } from '../spending/spending.ts';
import type { QuestionEmbedder } from './embedding-question.ts';
import type { EmbeddingWorker } from './embedding-worker.ts';

/** What is needed to find passages by meaning too. */
export interface EmbeddingSearch {
  questions: QuestionEmbedder;
  worker: EmbeddingWorker;
}

/** For whom passages are looked for, and where. */
export interface PassageSearch {
  viewer: Viewer & Payer;
  memory: Memory;
  /** Absent without an embedding model. */
  embedding?: EmbeddingSearch | undefined;
  signal: AbortSignal;
}

/**
 * The best passages for a question among those the viewer may see: by their
 * words, and by meaning as far as passages have vectors and the question gets
 * one in time. Lets what has no vector yet get one afterwards.
 *
 * @throws what `Memory.viewFor` throws.
 */
export async function findPassages(
  question: string,
  limit: number,
  search: PassageSearch,
): Promise<Findings> {
  const { viewer, memory, embedding, signal } = search;
  const view = await memory.viewFor(viewer, signal);
  embedding?.worker.wake(viewer.teamId);
  const asking = { payer: viewer, signal };
  const vector = view.vectors.size() > 0 ? await embedding?.questions.vectorOf(question, asking) : undefined;
  return view.search(question, limit, vector && (await view.near(vector, limit)));
}
