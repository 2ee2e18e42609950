import type { SearchResult } from '../index/index-host.ts';
import type { Memory, Viewer } from '../index/memory.ts';
import type { AnswerMarkup } from '../markup/answer-markup.ts';
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
  /** What becomes of markup in the answer of quotes. */
  markup?: AnswerMarkup | undefined;
  signal: AbortSignal;
}

/**
 * The best passages for a question among those the viewer may see: by their
 * words, and by meaning as far as passages have vectors and the question gets
 * one in time. Lets what has no vector yet get one afterwards.
 *
 * @throws what `Memory.search` throws.
 */
export async function findPassages(
  question: string,
  limit: number,
  search: PassageSearch,
): Promise<SearchResult> {
  const { viewer, memory, embedding, markup, signal } = search;
  const vectorOf = embedding && (() => embedding.questions.vectorOf(question, { payer: viewer, signal }));
  const found = await memory.search(
    viewer,
    { question, limit, markup },
    { signal, ...(vectorOf && { vectorOf }) },
  );
  embedding?.worker.wake(viewer.teamId);
  return found;
}
