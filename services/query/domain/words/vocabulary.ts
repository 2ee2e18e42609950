import type { Language } from '../text/languages.ts';

/** Lengths of words, in characters, and how many words are looked for at most. */
export interface WordsAsked {
  least: number;
  most: number;
  limit: number;
}

/** The words that the passages of a view have. */
export interface Vocabulary {
  /** In how many passages a term occurs. */
  frequencyOf(term: string): number;
  /** Words that begin with this, in no order. */
  wordsBeginningWith(beginning: string, asked: WordsAsked): readonly string[];
  /** The same of words that end with it. */
  wordsEndingWith(end: string, asked: WordsAsked): readonly string[];
}

/** Figures of a view that ranking needs. */
export interface ViewStatistics {
  passages: number;
  items: number;
  /** Terms of a passage on the average, those of title and headings counted by their weight. */
  averageLength: number;
  /** Languages of its items. */
  languages: readonly Language[];
  /** Passages that have a vector. */
  vectors: number;
}

/** Stands for any term that no question is about. Numbers of terms stay below it, so that a pair fits a double exactly. */
export const otherTerm = 2 ** 26 - 1;

/** The words of one search: numbers for the terms asked for, which are compared faster than texts, and how frequent terms are. */
export interface ViewWords extends Vocabulary {
  statistics: ViewStatistics;
  /** Gives a term that is asked for its number. */
  wantedNumberOf(term: string): number;
  /** The number of a term; `otherTerm` for all that have not been asked for. */
  numberOf(term: string): number;
  /** Finds the terms that are asked for, each between blanks, where terms are parted by one blank. */
  wantedPattern(): RegExp;
  /**
   * How telling a term is, above 0: ln(1 + passages / passages with it). Other
   * than BM25's own weight it stays clear of 0 where few passages share most
   * words; a term that no passage has counts as if one had it.
   */
  rarityOf(term: string): number;
}

/** Makes the words of a search in a view. */
export function createViewWords(view: Vocabulary & { statistics(): ViewStatistics }): ViewWords {
  const statistics = view.statistics();
  const numbers = new Map<string, number>();
  const frequencies = new Map<string, number>();
  const frequencyOf = (term: string) => frequencies.getOrInsertComputed(term, view.frequencyOf);
  let pattern = { terms: 0, expression: /(?!)/g };
  return {
    statistics,
    wordsBeginningWith: view.wordsBeginningWith,
    wordsEndingWith: view.wordsEndingWith,
    frequencyOf,
    wantedNumberOf: (term) => numbers.getOrInsertComputed(term, () => numbers.size),
    numberOf: (term) => numbers.get(term) ?? otherTerm,
    wantedPattern() {
      // Terms have letters, marks, digits and underscores only.
      if (pattern.terms !== numbers.size)
        pattern = {
          terms: numbers.size,
          expression: new RegExp(`(?<= )(?:${[...numbers.keys()].join('|')})(?= )`, 'g'),
        };
      return pattern.expression;
    },
    rarityOf: (term) => Math.log(1 + statistics.passages / Math.max(1, frequencyOf(term))),
  };
}
