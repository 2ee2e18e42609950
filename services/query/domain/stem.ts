import { stemmer } from 'stemmer';

/** Words remembered: about the vocabulary of a large team; 4 to 8 MB at most. */
const maxRememberedWords = 50_000;
const englishWord = /^[a-z]{3,}$/;

const remembered = new Map<string, string>();

/**
 * The stem of a lower-case word by Porter's algorithm (M. F. Porter, "An
 * algorithm for suffix stripping", 1980), but that a y after a vowel stays, as
 * in his later Porter2: otherwise deploy would differ from deployment. Words
 * that are not plain a-z stay as they are.
 */
export function stem(word: string): string {
  if (!englishWord.test(word)) return word;
  const known = remembered.get(word);
  if (known !== undefined) return known;
  // Emptied whole when full: stems are cheap to find again, and order of use costs more to keep.
  if (remembered.size >= maxRememberedWords) remembered.clear();
  const found = stemmer(word).replace(/(?<=[aeou])i$/, 'y');
  remembered.set(word, found);
  return found;
}
