import { type AnalyzedPassage, createBm25Index, type ScoredPassage } from './bm25-index.ts';
import { fuse, type Neighbourhood } from './fusion.ts';
import { questionTerms } from './question-terms.ts';
import { rerank, rerankedPassages } from './rerank.ts';
import { createSpelling } from './spelling.ts';
import { createVectorIndex, type VectorIndex } from './vector-index.ts';

/** Words of one question that are looked up as misspelt: each may take a few milliseconds. */
const maxCorrections = 8;

/** A question and what was found for it in one view. */
export interface Findings {
  /** All terms of the question, in order, with repetitions. */
  asked: readonly string[];
  /** The terms searched for, each once. */
  terms: readonly string[];
  /** Those of them that stand for a word that the view never uses. */
  guessed: ReadonlySet<string>;
  /** Passages, best first. */
  passages: readonly ScoredPassage[];
  /** Whether vectors had a part in that, so that passages may share no word with the question. */
  byMeaning: boolean;
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
  /** The vectors of the passages, as far as they have them, by slot. */
  vectors: VectorIndex;
  /** What lies near the vector of a question, at least `limit` passages of it; undefined where vectors tell nothing. */
  near(vector: Float32Array, limit: number): Promise<Neighbourhood | undefined>;
  /**
   * Ranks passages for a question; words that this view never uses are taken for
   * the nearest it does. What lies near it counts too, where that is known.
   */
  search(question: string, limit: number, near?: Neighbourhood): Findings;
  /** Different words in use. */
  vocabularySize(): number;
}

/** Makes an empty view. */
export function createViewIndex(): ViewIndex {
  const spelling = createSpelling();
  const index = createBm25Index(spelling);
  const vectors = createVectorIndex();
  let passageCount = 0;

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
    vectors,
    add(passage) {
      passageCount += 1;
      return index.add(passage);
    },
    remove(slot) {
      passageCount -= 1;
      vectors.remove(slot);
      index.remove(slot);
    },
    async near(vector, limit) {
      const nearest = await vectors.nearest(vector, Math.max(limit, rerankedPassages));
      return nearest && { ...nearest, coverage: Math.min(1, vectors.size() / passageCount) };
    },
    vocabularySize: index.vocabularySize,
    search(question, limit, near) {
      const asked = questionTerms(question);
      const terms = known(asked.telling);
      const guessed = new Set(terms).difference(new Set(asked.telling));
      const candidates = index.search(terms, Math.max(limit, rerankedPassages));
      const ranked = rerank({ ...asked, telling: terms }, candidates, index);
      const passages = (near ? fuse(ranked, near, index.at) : ranked).slice(0, limit);
      return {
        asked: asked.all,
        terms,
        guessed,
        passages,
        byMeaning: near !== undefined,
        weightOf: index.rarity,
      };
    },
  };
}
