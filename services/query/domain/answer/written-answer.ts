import { AppError } from '@teammemory/errors/app-error.ts';
import type { Answer, ClosestNote } from '../citations/answer.ts';
import { createCitationFilter } from '../citations/citation-filter.ts';
import type { FoundPassage } from '../index/index-host.ts';
import type { AnswerMarkup } from '../markup/answer-markup.ts';
import { createMarkupFilter } from '../markup/inert-filter.ts';
import type { Payer } from '../spending/spending.ts';
import { AnswerModelFailure } from './answer-model.ts';
import { type AnswerWriter, callAnswerModel } from './answer-model-call.ts';
import { type AnswerPart, type GivePart, giveQuotes } from './answer-parts.ts';
import { answerPrompt } from './answer-prompt.ts';

const modelFailed =
  'The model that writes answers is not available, so this one is made of passages as they were written.';

/** A question and what was found for it: at least a passage or a list. */
export interface Found {
  question: string;
  /** Best first, whatever speaks for them. */
  passages: readonly FoundPassage[];
  /** The list of rows, where the question asks for one. */
  list: Answer | undefined;
  /** The answer without a model. */
  extractive: Answer;
  /** The notes of the best passages. */
  closest: readonly ClosestNote[];
}

/**
 * Lets a model answer from the passages, as it writes, with its citations
 * checked and its markup filtered. Where it fails before its first word, the extractive answer is
 * given, which then says so.
 *
 * @throws AppError `daily_cap_exceeded` before the first part, `unavailable`
 *   where the money cannot be reserved or the model stops amid its answer, and
 *   the signal's reason when it aborts.
 */
export async function giveWrittenAnswer(
  { question, passages, list, extractive, closest }: Found,
  asking: {
    writer: AnswerWriter;
    payer: Payer;
    markup: AnswerMarkup;
    give: GivePart<AnswerPart>;
    signal: AbortSignal;
  },
): Promise<void> {
  const { writer, give, signal } = asking;
  const prompt = answerPrompt(
    question,
    passages.map(({ passage }) => passage),
    { list },
  );
  const filter = createCitationFilter(prompt.sources.length);
  // Runs after the citation filter, because the text it writes instead of a reference may complete a link.
  const markup = createMarkupFilter(asking.markup);
  const write = await callAnswerModel(prompt, asking);
  let begun = false;
  const show = (text: string): Promise<void> | undefined => {
    const visible = begun ? text : text.trimStart();
    if (visible === '') return undefined;
    begun = true;
    return give({ kind: 'delta', text: visible });
  };
  try {
    await write((text) => show(markup.push(filter.push(text))));
    await show(markup.push(filter.end()) + markup.end());
    if (!begun) throw new AppError('unavailable', 'The model answered nothing.');
  } catch (error) {
    signal.throwIfAborted();
    writer.report(error);
    if (begun) throw error;
    writer.fellBack(error instanceof AnswerModelFailure ? 'failed' : 'silent');
    return giveQuotes(extractive, asking, modelFailed);
  }
  const sources = filter.cited().flatMap((number) => prompt.sources[number - 1] ?? []);
  await give({ kind: 'sources', sources, closest: sources.length === 0 ? closest : [] });
}
