import { closestNotes, extractiveAnswer } from '../quotes/extractive-answer.ts';
import { rowsAnswer } from '../rows/rows-answer.ts';
import { searchView } from '../views/search-view.ts';
import type { View } from '../views/view.ts';
import type { SearchRequest, SearchResult } from './index-host.ts';

/** Searches a view and makes the answers of rows and of quotes. */
export function findInView(
  view: View,
  { question, limit, vector, markup = 'inert', today = new Date().toISOString().slice(0, 10) }: SearchRequest,
): SearchResult {
  const list = rowsAnswer(question, view.rows, { today, markup });
  const findings = searchView(view, question, limit, { vector, today });
  return {
    passages: findings.passages.map(({ passage, score }) => ({ passage, score })),
    closest: closestNotes(findings.passages),
    ...(list && { list }),
    quotes: extractiveAnswer(findings, markup),
    coverage: view.coverage(),
  };
}
