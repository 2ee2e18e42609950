import { findPassages, type PassageSearch } from '../embedding/find-passages.ts';
import type { Findings } from '../index/view-index.ts';
import type { AnswerMarkup } from '../markup/answer-markup.ts';
import { plainTitle } from '../markup/plain-title.ts';
import { extractiveAnswer, relevantPassages } from '../quotes/extractive-answer.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import type { AnswerWriter } from './answer-model-call.ts';
import type { AnswerPart } from './answer-part.ts';
import { giveQuotes } from './give-quotes.ts';
import { type GivePart, type PartStream, partStream } from './part-stream.ts';
import { checkQuestion } from './question.ts';
import { giveWrittenAnswer } from './written-answer.ts';

/** Passages an answer is made from, at most. */
const passagesForAnswer = 10;
/** As many as an answer of quotes is made from, at most. */
const passagesByMeaning = 5;

/**
 * Answers a question from what the viewer may see: one or more deltas, then
 * the sources, of which the k-th is cited as `[k]`. Without a writer, and where
 * nothing is found, the answer is the extractive one. Its markup is inert unless
 * it is wanted.
 *
 * @throws AppError `invalid_request` for a question that is empty or too long,
 *   `unavailable` when the feed or the store does not answer in time, the
 *   errors of `giveWrittenAnswer`, and the signal's reason when it aborts: at
 *   once, but for money that is being reserved, settled or released, so that
 *   none is left open behind an answer that has ended.
 */
export function answer(
  question: string,
  parts: PassageSearch & { writer?: AnswerWriter | undefined; markup?: AnswerMarkup },
): PartStream<AnswerPart> {
  const { viewer, writer, markup = 'inert' } = parts;
  return partStream(async (given, signal) => {
    const give = markup === 'inert' ? withPlainTitles(given) : given;
    checkQuestion(question);
    const findings = await findPassages(question, passagesForAnswer, { ...parts, signal });
    // Made at once, also where it may not be needed: the view that was searched changes with time.
    const quotes = extractiveAnswer(findings, markup);
    const passages = writer === undefined ? [] : passagesForWriter(findings);
    if (writer === undefined || passages.length === 0) return giveQuotes(quotes, { give, signal });
    await giveWrittenAnswer({ question, passages, quotes }, { writer, payer: viewer, markup, give, signal });
  }, parts.signal);
}

function withPlainTitles(give: GivePart<AnswerPart>): GivePart<AnswerPart> {
  return (part) => {
    if (part.kind === 'delta') return give(part);
    return give({
      ...part,
      sources: part.sources.map((source) => ({ ...source, title: plainTitle(source.title) })),
    });
  };
}

/**
 * What was found by meaning may answer in other words than the question's: the
 * model can judge that, the evidence of words cannot.
 */
function passagesForWriter(findings: Findings): readonly ScoredPassage[] {
  return findings.byMeaning ? findings.passages.slice(0, passagesByMeaning) : relevantPassages(findings);
}
