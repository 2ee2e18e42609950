import { findPassages, type PassageSearch } from '../embedding/find-passages.ts';
import type { SearchResult } from '../index/index-host.ts';
import { checkQuestion } from './question.ts';

const defaultPassages = 10;
/** A page of 1,000 passages is 1.5 MB, all that one message should carry. */
const maxPassages = 1_000;

/**
 * Ranks passages for a question among those the viewer may see. A `limit` of 0
 * means 10, more than 1,000 means 1,000. Errors as of `answer`.
 */
export async function search(
  question: string,
  parts: PassageSearch & { limit: number },
): Promise<SearchResult> {
  checkQuestion(question);
  const limit = Math.min(parts.limit || defaultPassages, maxPassages);
  return findPassages(question, limit, parts);
}
