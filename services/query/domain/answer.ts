import { extractiveAnswer, type Source } from './extractive-answer.ts';
import type { Memory, Viewer } from './memory.ts';
import { checkQuestion } from './question.ts';

/** Passages an answer is made from, at most. */
const passagesForAnswer = 10;

/** More text of an answer, or, once and last, what it rests on. */
export type AnswerPart = { kind: 'delta'; text: string } | { kind: 'sources'; sources: readonly Source[] };

/**
 * Answers a question from what the viewer may see: one or more deltas, then
 * the sources, of which the k-th is cited as `[k]`.
 *
 * @throws AppError `invalid_request` for a question that is empty or too long,
 *   `unavailable` when the feed or the store does not answer in time, and the
 *   signal's reason as soon as it aborts.
 */
export async function* answer(
  question: string,
  parts: { viewer: Viewer; memory: Memory; signal: AbortSignal },
): AsyncGenerator<AnswerPart> {
  checkQuestion(question);
  const view = await parts.memory.viewFor(parts.viewer, parts.signal);
  const { parts: texts, sources } = extractiveAnswer(view.search(question, passagesForAnswer));
  for (const text of texts) {
    parts.signal.throwIfAborted();
    yield { kind: 'delta', text };
  }
  yield { kind: 'sources', sources };
}
