import { closestNotes, extractiveAnswer } from '../quotes/extractive-answer.ts';
import { rowsAnswer } from '../rows/rows-answer.ts';
import { readQuestion } from '../text/question.ts';
import { searchView } from '../views/search-view.ts';
import type { View } from '../views/view.ts';
import type { SearchRequest, SearchResult } from './index-host.ts';

/** Searches a view and makes the answers of rows and of quotes. */
export function findInView(
  view: View,
  { question: asked, limit, vector, markup = 'inert', today }: SearchRequest,
): SearchResult {
  const question = readQuestion(asked, today);
  const list = rowsAnswer(question, view.rows, markup);
  const findings = searchView(view, question, limit, vector);
  return {
    passages: findings.passages.map(({ passage, score }) => ({ passage, score })),
    closest: closestNotes(findings.passages),
    ...(list && { list }),
    quotes: extractiveAnswer(findings, markup),
    coverage: view.coverage(),
  };
}
