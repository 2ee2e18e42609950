import { extractiveAnswer, relevantPassages } from '../quotes/extractive-answer.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import type { ViewIndex } from '../views/view-index.ts';
import type { FoundPassage, SearchRequest, SearchResult } from './index-host.ts';

/** Searches a view and makes the answer of quotes, in steps of some milliseconds; the view must stay as it is between them. */
export function* findInView(
  view: ViewIndex,
  { question, limit, vector, today, markup }: SearchRequest,
): Generator<void, SearchResult> {
  const findings = yield* view.searching(question, limit, { vector, today });
  yield;
  return {
    passages: findings.passages.map(found),
    relevant: relevantPassages(findings).map(found),
    byMeaning: findings.byMeaning,
    quotes: extractiveAnswer(findings, markup),
    coverage: view.coverage(),
  };
}

function found({ passage, score }: ScoredPassage): FoundPassage {
  return { passage, score };
}
