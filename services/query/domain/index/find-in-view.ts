import { closestNotes, extractiveAnswer } from '../quotes/extractive-answer.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import { rowsAnswer } from '../rows/rows-answer.ts';
import type { ViewIndex } from '../views/view-index.ts';
import type { FoundPassage, SearchRequest, SearchResult } from './index-host.ts';

/**
 * Searches a view and makes the answers of rows and of quotes, in steps of some
 * milliseconds; the view must stay as it is between them.
 */
export function* findInView(
  view: ViewIndex,
  { question, limit, vector, markup = 'inert', today = new Date().toISOString().slice(0, 10) }: SearchRequest,
): Generator<void, SearchResult> {
  const list = yield* rowsAnswer(question, view.rows(), { today, markup });
  const findings = yield* view.searching(question, limit, { vector, today });
  yield;
  const quotes = extractiveAnswer(findings, markup);
  yield;
  return {
    passages: findings.passages.map(found),
    closest: closestNotes(findings.passages),
    ...(list && { list }),
    quotes,
    coverage: view.coverage(),
  };
}

function found({ passage, score }: ScoredPassage): FoundPassage {
  return { passage, score };
}
