import type { IndexedPassage } from '../passages/passage.ts';
import { rankedPassage, scoredByWords } from '../ranking/bm25.ts';
import { inOrderOfTime, maxComparedPassages } from '../ranking/currency.ts';
import { evidenceOf } from '../ranking/evidence.ts';
import type { Question, QuestionWord } from '../ranking/question.ts';
import { rerank, rerankedPassages } from '../ranking/rerank.ts';
import { byScore, type RankedPassage, type ScoredPassage } from '../ranking/scored-passage.ts';
import { fuse, type Neighbourhood } from '../ranking/vectors.ts';
import type { WantedTerms } from '../ranking/wanted-terms.ts';
import { analyze } from '../text/analyzer.ts';
import type { Language } from '../text/languages.ts';
import { createViewWords, type ViewWords } from '../words/vocabulary.ts';
import type { View } from './view.ts';
import { hasFormInView, inOtherWords, wantedInView } from './wanted-in-view.ts';

/** Passages that the index finds, to be scored exactly: with 200 the collections lose a little, with 400 they gain nothing. */
const minCandidates = 300;
/** Passages of which one must have enough of a question; the right one is almost always among them. */
const passagesLookedAt = 5;
/** If the best evidence is less, synonyms are searched for too. */
const enoughEvidence = 0.5;

/** A question and what was found for it in one view; of use only while the view stays as it is. */
export interface Findings {
  /** Its words, without those for times that passages meet by their dates. */
  words: readonly QuestionWord[];
  wanted: WantedTerms;
  /** Passages, best first. */
  passages: readonly ScoredPassage[];
  /** Whether vectors had a part in that, so that passages may share no word with the question. */
  byMeaning: boolean;
  /** The terms of a text of this language (`IndexedPassage.language`) as their numbers in this search, in order. */
  numbersOf(text: string, language?: Language): number[];
  /** As of `AskedWords`. */
  hasFormOf(word: string, language?: Language): boolean;
  /** Another passage of the item of a passage; undefined where it has none of this ordinal. */
  passageBeside(hit: ScoredPassage, ordinal: number): IndexedPassage | undefined;
}

/**
 * Ranks passages of a view for a question; words that the view never uses are taken for
 * the nearest it does. What lies near its vector counts too, where it has one, and times as `inOrderOfTime` tells.
 */
export function searchView(view: View, question: Question, limit: number, vector?: Float32Array): Findings {
  const words = createViewWords(view);
  const maxCandidates = Math.max(limit, minCandidates);
  const nearby = vector && near(view, vector, words, Math.max(limit, rerankedPassages));
  const { wanted, ranked } = byWordsForTheSame(view, question, words, maxCandidates);
  const at = (slot: number) => {
    const candidate = view.candidateAt(slot);
    return candidate && rankedPassage(candidate, words);
  };
  const best = (nearby ? fuse(ranked, nearby, at) : ranked).slice(0, Math.max(limit, maxComparedPassages));
  const withTexts = best.map((hit) => ({ ...hit, passage: view.passageAt(hit.slot) }));
  const asked = {
    byMeaning: nearby !== undefined,
    numbersOf: (text: string, language?: Language) => analyze(text, language).map(words.numberOf),
    hasFormOf: (word: string, language?: Language) => hasFormInView(word, words, language),
    passageBeside: (hit: ScoredPassage, ordinal: number) => view.passageBeside(hit.slot, ordinal),
  };
  const inOrder = inOrderOfTime(withTexts, wanted, question);
  return { ...inOrder, ...asked, passages: inOrder.passages.slice(0, limit) };
}

/** The best by words, by score, row key and ordinal. */
function byWords(view: View, wanted: WantedTerms, words: ViewWords, limit: number): RankedPassage[] {
  const terms = wanted.telling.flatMap(({ text, alternatives }) => [
    text,
    ...alternatives.map((other) => other.text),
  ]);
  const candidates = view.candidates([...new Set(terms)], limit);
  const scored = scoredByWords(
    wanted.telling,
    candidates.map((candidate) => rankedPassage(candidate, words)),
    words,
  );
  return rerank(wanted, scored.sort(byScore));
}

/** The same, by other words for the same too where the question's own find too little. */
function byWordsForTheSame(
  view: View,
  question: Question,
  words: ViewWords,
  limit: number,
): { wanted: WantedTerms; ranked: RankedPassage[] } {
  const wanted = wantedInView(question, words);
  const ranked = byWords(view, wanted, words, limit);
  const isEnough = ranked.slice(0, passagesLookedAt).some((hit) => evidenceOf(hit, wanted) >= enoughEvidence);
  // Of one word nothing tells in which of its senses it is meant.
  if (isEnough || wanted.telling.length < 2) return { wanted, ranked };
  const widened = inOtherWords(question, wanted, words, view.thesaurus);
  if (widened === undefined) return { wanted, ranked };
  return { wanted: widened, ranked: byWords(view, widened, words, limit) };
}

/** What lies near the vector of a question, at least `limit` passages of it; undefined where vectors tell nothing. */
function near(
  view: View,
  vector: Float32Array,
  { statistics: { vectors, passages } }: ViewWords,
  limit: number,
): Neighbourhood | undefined {
  const nearest = view.nearest(vector, limit);
  return nearest && { ...nearest, coverage: Math.min(1, vectors / passages) };
}
