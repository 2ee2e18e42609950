import type { Answer, Source } from '../citations/answer.ts';
import type { AnswerMarkup } from '../markup/answer-markup.ts';
import type { Question } from '../text/question.ts';
import { type MatchingRows, matchingRows } from './matching-rows.ts';
import type { Row, RowKind } from './row.ts';
import { inert, leadOf, moreLine, rowLine } from './row-list.ts';
import { type RowQuestion, rowQuestion } from './row-question.ts';

/** Rows shown if a question asks for the latest decisions without a number. */
const latestShown = 5;

/**
 * Answers a question for a list of tasks, decisions or projects from the rows of a view. The answer is a line that says
 * what is listed and how many rows there are, a Markdown list of the first twenty with their citations, and the number
 * of the others. Rows of the same source share its number.
 *
 * Returns undefined if the question is not clearly for rows, or names something that no row has, so that texts may
 * answer it. Says that there are no rows only if it understood the whole question. Takes one pass over the rows,
 * and keeps only the rows that are shown.
 */
export function rowsAnswer(
  question: Question,
  rowsOf: (kind: RowKind) => Iterable<Row>,
  markup: AnswerMarkup,
): Answer | undefined {
  const asked = rowQuestion(question);
  if (asked === undefined) return undefined;
  const { today } = question;
  const found = matchingRows(asked, rowsOf(asked.kind), today);
  if (!isAnswer(asked, found)) return undefined;
  const count = asked.latest === 'one' ? 1 : asked.latest === 'some' ? latestShown : found.shown.length;
  const shown = found.shown.slice(0, count);
  const isNewest = asked.latest !== undefined;
  const listed = isNewest ? { ...found, count: shown.length } : found;
  const numbers = new Map<string, number>();
  for (const { source } of shown) numbers.set(source.rowKey, numbers.get(source.rowKey) ?? numbers.size + 1);
  const lines = shown.map((row, at) => {
    const line = rowLine(row, { question: asked, today, markup });
    return `${at === 0 ? '\n\n' : '\n'}${line} [${numbers.get(row.source.rowKey)}]`;
  });
  const more = listed.count - shown.length;
  const lead = inert(leadOf(asked, listed), markup);
  const parts = [lead, ...lines, ...(more > 0 ? [`\n\n${moreLine(more, asked)}`] : [])];
  return { parts, sources: sourcesOf(shown) };
}

/** Returns whether the result, even an empty one, answers the question. */
function isAnswer({ needsOwner, isExplicit, words }: RowQuestion, found: MatchingRows): boolean {
  if (found.ofKind === 0 || (needsOwner && found.owners.length === 0)) return false;
  if (found.count > 0) return true;
  // Of several names it is not known whether rows must have all of them or one, unless they are somebody's in something.
  const others = words.length - found.owners.length;
  const isOneOfEach = others <= 1 && found.owners.length <= 1;
  return isExplicit && found.namesKnown && isOneOfEach;
}

/** Each once, by its first row. What several rows stand in has no date or status of its own here. */
function sourcesOf(rows: readonly Row[]): Source[] {
  const bySource = Map.groupBy(rows, ({ source }) => source.rowKey);
  return [...bySource].flatMap(([rowKey, [first, ...others]]) => {
    if (first === undefined) return [];
    const { tier, kind, date, status, source } = first;
    const ofOne = others.length === 0 ? { ...(date && { date }), ...(status && { status }) } : {};
    return [
      { rowKey, title: source.title, tier, kind, ...ofOne, ...(source.isByGuest && { isByGuest: true }) },
    ];
  });
}
