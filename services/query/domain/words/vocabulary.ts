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
