import type { AnswerWriter } from './answer-model-call.ts';
import { answerOfQuotes } from './answer-of-quotes.ts';
import type { AnswerPart } from './answer-part.ts';
import type { ScoredPassage } from './bm25-index.ts';
import { findPassages, type PassageSearch } from './embedding-search.ts';
import { extractiveAnswer, relevantPassages } from './extractive-answer.ts';
import { checkQuestion } from './question.ts';
import type { Findings } from './view-index.ts';
import { writtenAnswer } from './written-answer.ts';

/** Passages an answer is made from, at most. */
const passagesForAnswer = 10;
/** As many as an answer of quotes is made from, at most. */
const passagesByMeaning = 5;

/**
 * Answers a question from what the viewer may see: one or more deltas, then
 * the sources, of which the k-th is cited as `[k]`. Without a writer, and where
 * nothing is found, the answer is the extractive one.
 *
 * @throws AppError `invalid_request` for a question that is empty or too long,
 *   `unavailable` when the feed or the store does not answer in time, the
 *   errors of `writtenAnswer`, and the signal's reason as soon as it aborts.
 */
export async function* answer(
  question: string,
  parts: PassageSearch & { writer?: AnswerWriter | undefined },
): AsyncGenerator<AnswerPart> {
  const { viewer, writer, signal } = parts;
  checkQuestion(question);
  const findings = await findPassages(question, passagesForAnswer, parts);
  // Made at once, also where it may not be needed: the view that was searched changes with time.
  const quotes = extractiveAnswer(findings);
  const passages = writer === undefined ? [] : passagesForWriter(findings);
  if (writer === undefined || passages.length === 0) {
    yield* answerOfQuotes(quotes, signal);
    return;
  }
  yield* writtenAnswer({ question, passages, quotes }, { writer, payer: viewer, signal });
}

/**
 * What was found by meaning may answer in other words than the question's: the
 * model can judge that, the evidence of words cannot.
 */
function passagesForWriter(findings: Findings): readonly ScoredPassage[] {
  return findings.byMeaning ? findings.passages.slice(0, passagesByMeaning) : relevantPassages(findings);
}
