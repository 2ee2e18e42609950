import { type AnalyzedPassage, createBm25Index, type ScoredPassage } from './bm25-index.ts';
import { questionTerms } from './question-terms.ts';
import { rerank, rerankedPassages } from './rerank.ts';
import { createSpelling } from './spelling.ts';

/** Words of one question that are looked up as misspelt: each may take a few milliseconds. */
const maxCorrections = 8;

/** A question and what was found for it in one view. */
export interface Findings {
  /** The terms searched for. */
  terms: readonly string[];
  /** Passages, best first. */
  passages: readonly ScoredPassage[];
  /** How telling a term is in this view, above 0. */
  weightOf(term: string): number;
}

/**
 * All that is known to one view, and nothing else: passages, document
 * frequencies, lengths, vocabulary. What a view may not see was never put into
 * it, so nothing that it answers can hint at it.
 */
export interface ViewIndex {
  /** Adds a passage and answers its slot, by which it is removed. */
  add(passage: AnalyzedPassage): number;
  remove(slot: number): void;
  /** Ranks passages for a question; words that this view never uses are taken for the nearest it does. */
  search(question: string, limit: number): Findings;
  /** Different words in use. */
  vocabularySize(): number;
}

/** Makes an empty view. */
export function createViewIndex(): ViewIndex {
  const spelling = createSpelling();
  const index = createBm25Index(spelling);

  function known(terms: readonly string[]): string[] {
    let corrections = 0;
    const used = terms.map((term) => {
      if (index.documentFrequency(term) > 0 || corrections === maxCorrections) return term;
      corrections += 1;
      return spelling.nearest(term, index.documentFrequency) ?? term;
    });
    return [...new Set(used)];
  }

  return {
    add: index.add,
    remove: index.remove,
    vocabularySize: index.vocabularySize,
    search(question, limit) {
      const terms = known(questionTerms(question));
      const candidates = index.search(terms, Math.max(limit, rerankedPassages));
      const passages = rerank(question, candidates, index.numberOf).slice(0, limit);
      return { terms, passages, weightOf: index.rarity };
    },
  };
}
