import type { Vocabulary, WordsAsked } from './vocabulary.ts';

/** A vocabulary of these words. */
export function vocabularyOf(
  words: readonly string[],
  frequencyOf: (term: string) => number = (term) => (words.includes(term) ? 1 : 0),
): Vocabulary {
  const among = ({ least, most, limit }: WordsAsked, isWanted: (word: string) => boolean) =>
    words.filter((word) => word.length >= least && word.length <= most && isWanted(word)).slice(0, limit);
  return {
    frequencyOf,
    wordsBeginningWith: (beginning, asked) => among(asked, (word) => word.startsWith(beginning)),
    wordsEndingWith: (end, asked) => among(asked, (word) => word.endsWith(end)),
  };
}
