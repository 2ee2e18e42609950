import { type AnalyzedPassage, createBm25Index } from '../ranking/bm25-index.ts';
import { createFourGramIndex } from '../ranking/four-grams.ts';
import { rerank, rerankedPassages } from '../ranking/rerank.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import { createSpelling } from '../ranking/spelling.ts';
import { otherTerm, pairsOf } from '../ranking/term-pairs.ts';
import type { WantedTerm, WantedTerms } from '../ranking/wanted-terms.ts';
import { analyze } from '../text/analyzer.ts';
import { questionTerms } from '../text/question-terms.ts';
import { fuse, type Neighbourhood } from '../vectors/fusion.ts';
import { createVectorIndex, type VectorIndex } from '../vectors/vector-index.ts';

/** Words of one question that are looked up as misspelt: each may take a few milliseconds. */
const maxCorrections = 8;
/** From here on numbers stand for words of a question that the view does not have; a view of so many would fill 8 GiB. */
const firstUnusedNumber = 2 ** 25;

/** A question and what was found for it in one view; of use only while the view stays as it is. */
export interface Findings {
  wanted: WantedTerms;
  /** Passages, best first. */
  passages: readonly ScoredPassage[];
  /** Whether vectors had a part in that, so that passages may share no word with the question. */
  byMeaning: boolean;
  /** The terms of a text as numbers of this view, in order. */
  numbersOf(text: string): number[];
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
  /** Characters of these words. */
  vocabularyLength(): number;
}

/** Makes an empty view. */
export function createViewIndex(): ViewIndex {
  const spelling = createSpelling();
  const fourGrams = createFourGramIndex();
  const index = createBm25Index([spelling, fourGrams]);
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

  function wantedTerms(question: string): WantedTerms {
    const asked = questionTerms(question);
    const placeOf = new Map(asked.all.map((text, place) => [text, place]));
    const numberOf = (text: string) => index.numberOf(text) ?? firstUnusedNumber + (placeOf.get(text) ?? 0);
    const wantedTerm = (text: string, guessed = false): WantedTerm => {
      return { text, number: numberOf(text), weight: index.rarity(text), guessed };
    };
    const isAsked = new Set(asked.telling);
    const telling = known(asked.telling);
    const numbers = asked.all.map(numberOf);
    return {
      numbers: new Set(numbers),
      telling: telling.map((text) => wantedTerm(text, !isAsked.has(text))),
      stops: asked.stops.map((text) => wantedTerm(text)),
      pairs: pairsOf(numbers),
      fourGrams: fourGrams.of(telling),
    };
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
    vocabularyLength: index.vocabularyLength,
    search(question, limit, near) {
      const wanted = wantedTerms(question);
      const terms = wanted.telling.map(({ text }) => text);
      const candidates = index.search(terms, Math.max(limit, rerankedPassages));
      const ranked = rerank(wanted, candidates, index.termScore);
      const passages = (near ? fuse(ranked, near, index.at) : ranked).slice(0, limit);
      const numbersOf = (text: string) => analyze(text).map((term) => index.numberOf(term) ?? otherTerm);
      return { wanted, passages, byMeaning: near !== undefined, numbersOf };
    },
  };
}
