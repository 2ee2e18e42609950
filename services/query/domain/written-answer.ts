import { AppError } from '@teammemory/errors/app-error.ts';
import { type AnswerWriter, callAnswerModel } from './answer-model-call.ts';
import { AnswerModelFailure } from './answer-model-failure.ts';
import { answerOfQuotes } from './answer-of-quotes.ts';
import type { AnswerPart } from './answer-part.ts';
import { answerPrompt } from './answer-prompt.ts';
import type { ScoredPassage } from './bm25-index.ts';
import { createCitationFilter } from './citation-filter.ts';
import type { Answer } from './extractive-answer.ts';
import type { Payer } from './spending.ts';

const modelFailed = 'The model that writes answers is not available, so this one is made of quotes. ';

/** A question and what was found for it. */
export interface Found {
  question: string;
  /** At least one, best first. */
  passages: readonly ScoredPassage[];
  /** The extractive answer from the same passages. */
  quotes: Answer;
}

/**
 * Lets a model answer from the passages, as it writes, with its citations
 * checked. Where it fails before its first word, the extractive answer is
 * given, which then says so.
 *
 * @throws AppError `daily_cap_exceeded` before the first part, `unavailable`
 *   where the money cannot be reserved or the model stops amid its answer, and
 *   the signal's reason when it aborts.
 */
export async function* writtenAnswer(
  { question, passages, quotes }: Found,
  asking: { writer: AnswerWriter; payer: Payer; signal: AbortSignal },
): AsyncGenerator<AnswerPart> {
  const prompt = answerPrompt(
    question,
    passages.map(({ passage }) => passage),
  );
  const filter = createCitationFilter(prompt.sources.length);
  const written = await callAnswerModel(prompt, asking);
  let begun = false;
  function* shown(text: string): Generator<AnswerPart> {
    const visible = begun ? text : text.trimStart();
    if (visible === '') return;
    begun = true;
    yield { kind: 'delta', text: visible };
  }
  try {
    for await (const text of written) yield* shown(filter.push(text));
    yield* shown(filter.end());
    if (!begun) throw new AppError('unavailable', 'The model answered nothing.');
  } catch (error) {
    asking.signal.throwIfAborted();
    asking.writer.report(error);
    if (begun) throw error;
    asking.writer.fellBack(error instanceof AnswerModelFailure ? 'failed' : 'silent');
    yield* answerOfQuotes(quotes, asking.signal, modelFailed);
    return;
  }
  const sources = filter.cited().flatMap((number) => prompt.sources[number - 1] ?? []);
  yield { kind: 'sources', sources };
}
