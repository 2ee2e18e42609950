import { type AnswerMarkup, plainTitle } from '../markup/answer-markup.ts';
import { type Asking, checkQuestion, type FindPassages } from '../search/passage-search.ts';
import type { Coverage } from '../views/view.ts';
import type { AnswerWriter } from './answer-model-call.ts';
import { type AnswerPart, type GivePart, giveQuotes, type PartStream, partStream } from './answer-parts.ts';
import { giveWrittenAnswer } from './written-answer.ts';

/** Passages looked at for an answer: of those that a model gets, the right one is almost always among so many. */
const passagesForAnswer = 20;

/**
 * Returns the answer to a question as a stream: one or more deltas, then the sources, of which the k-th is cited as `[k]`.
 * Without a writer, a list of rows answers a question for one, and passages as they were written any other. A writer gets
 * both, whatever speaks for them.
 * Markup is inert unless asked for otherwise.
 *
 * @throws AppError `invalid_request` for a question that is empty or too long, the errors of `FindPassages` and
 *   `giveWrittenAnswer`, and the signal's reason when it aborts: at once, except while money is being reserved, settled
 *   or released, so that no reservation stays open behind an answer that has ended.
 */
export function answer(
  question: string,
  dependencies: {
    findPassages: FindPassages;
    writer?: AnswerWriter | undefined;
    markup?: AnswerMarkup;
  } & Asking,
): PartStream<AnswerPart> {
  const { findPassages, viewer, writer, markup = 'inert' } = dependencies;
  return partStream(async (given, signal) => {
    const give = markup === 'inert' ? withPlainSources(given) : given;
    checkQuestion(question);
    const found = await findPassages({ question, limit: passagesForAnswer, markup }, { viewer, signal });
    const { list, quotes, passages, closest } = found;
    const giving = { give: withCoverage(found.coverage, give), signal };
    const extractive = list ?? quotes;
    if (writer === undefined || (passages.length === 0 && list === undefined))
      return giveQuotes(extractive, giving);
    const toWrite = { question, passages, list, extractive, closest };
    await giveWrittenAnswer(toWrite, { writer, payer: viewer, markup, ...giving });
  }, dependencies.signal);
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
