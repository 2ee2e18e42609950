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

/** The words of one search: numbers for terms, which are compared faster than texts, and how frequent they are. */
export interface ViewWords extends Vocabulary {
  statistics: ViewStatistics;
  /** The number of a term, the same whenever it is asked for in this search. */
  numberOf(term: string): number;
  textOf(number: number): string;
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
  const texts: string[] = [];
  const frequencies = new Map<string, number>();
  const frequencyOf = (term: string) => frequencies.getOrInsertComputed(term, view.frequencyOf);
  return {
    statistics,
    wordsBeginningWith: view.wordsBeginningWith,
    wordsEndingWith: view.wordsEndingWith,
    frequencyOf,
    numberOf: (term) => numbers.getOrInsertComputed(term, () => texts.push(term) - 1),
    textOf: (number) => texts[number] ?? '',
    rarityOf: (term) => Math.log(1 + statistics.passages / Math.max(1, frequencyOf(term))),
  };
}
