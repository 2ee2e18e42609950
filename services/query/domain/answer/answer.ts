import { AppError } from '@teammemory/errors/app-error.ts';
import type { Answer, ClosestNote } from '../citations/answer.ts';
import { createCitationFilter } from '../citations/citation-filter.ts';
import type { FoundPassage } from '../index/index-host.ts';
import { type AnswerMarkup, plainTitle } from '../markup/answer-markup.ts';
import { createMarkupFilter } from '../markup/inert-filter.ts';
import { type Asking, checkQuestion, type FindPassages } from '../search/passage-search.ts';
import type { Payer } from '../spending/spending.ts';
import type { Coverage } from '../views/view.ts';
import { AnswerModelFailure } from './answer-model.ts';
import { type AnswerWriter, callAnswerModel } from './answer-model-call.ts';
import { type AnswerPart, type GivePart, giveQuotes } from './answer-parts.ts';
import { answerPrompt } from './answer-prompt.ts';

/** Passages looked at for an answer: of those that a model gets, the right one is almost always among so many. */
const passagesForAnswer = 20;

/** What a question is asked of, and who takes the parts of its answer. */
export interface AnswerOptions extends Asking {
  findPassages: FindPassages;
  writer?: AnswerWriter | undefined;
  markup?: AnswerMarkup;
  give: GivePart<AnswerPart>;
}

/**
 * Gives the answer to a question: one or more deltas, then the sources, of which the k-th is cited as `[k]`.
 * Without a writer, a list of rows answers a question for one, and passages as they were written any other. A writer gets
 * both, whatever speaks for them.
 * Markup is inert unless asked for otherwise.
 *
 * @throws AppError `invalid_request` for a question that is empty or too long, the errors of `FindPassages` and
 *   `giveWrittenAnswer`, and the signal's reason when it aborts: at once, except while money is being reserved, settled
 *   or released, so that no reservation stays open behind an answer that has ended.
 */
export async function giveAnswer(question: string, options: AnswerOptions): Promise<void> {
  const { findPassages, viewer, writer, markup = 'inert', signal } = options;
  const give = markup === 'inert' ? withPlainSources(options.give) : options.give;
  checkQuestion(question);
  const found = await findPassages({ question, limit: passagesForAnswer, markup }, { viewer, signal });
  const { list, quotes, passages, closest } = found;
  const giving = { give: withCoverage(found.coverage, give), signal };
  const extractive = list ?? quotes;
  if (writer === undefined || (passages.length === 0 && list === undefined))
    return giveQuotes(extractive, giving);
  const toWrite = { question, passages, list, extractive, closest };
  await giveWrittenAnswer(toWrite, { writer, payer: viewer, markup, ...giving });
}

/** Passes parts on. If some passages could not be searched, says so before the sources. */
function withCoverage({ passages, missing }: Coverage, give: GivePart<AnswerPart>): GivePart<AnswerPart> {
  if (missing === 0) return give;
  const what = `${missing} passages of ${passages} are not indexed.`;
  const text = `\n\nNot all of this team's memory could be searched: ${what}`;
  return async (part) => {
    if (part.kind === 'sources') await give({ kind: 'delta', text });
    await give(part);
  };
}

function withPlainSources(give: GivePart<AnswerPart>): GivePart<AnswerPart> {
  return (part) => {
    if (part.kind === 'delta') return give(part);
    return give({
      ...part,
      sources: part.sources.map(({ title, status, ...source }) => {
        return { ...source, title: plainTitle(title), ...(status && { status: plainTitle(status) }) };
      }),
      closest: part.closest?.map(({ rowKey, title }) => ({ rowKey, title: plainTitle(title) })) ?? [],
    });
  };
}

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
async function giveWrittenAnswer(
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
