import { stemmer } from 'stemmer';

const englishWord = /^[a-z]{3,}$/;

/**
 * The stem of a lower-case word by Porter's algorithm (M. F. Porter, "An
 * algorithm for suffix stripping", 1980), but that a y after a vowel stays, as
 * in his later Porter2: otherwise deploy would differ from deployment. Words
 * that are not plain a-z stay as they are.
 */
export function stem(word: string): string {
  return englishWord.test(word) ? stemmer(word).replace(/(?<=[aeou])i$/, 'y') : word;
}
