/// <reference path="snowball-stemmers.d.ts" />
import snowball from 'snowball-stemmers';
import { stemmer } from 'stemmer';
import type { Language } from './languages.ts';

const englishWord = /^[a-z]{3,}$/;
const word = /^\p{L}{3,}$/u;

/** The algorithms of Snowball (M. F. Porter, 2001, https://snowballstem.org) by language; there is none for Polish. */
const algorithms: Partial<Record<Language, string>> = {
  de: 'german',
  fr: 'french',
  es: 'spanish',
  it: 'italian',
  nl: 'dutch',
  pt: 'portuguese',
  sv: 'swedish',
  da: 'danish',
  no: 'norwegian',
  fi: 'finnish',
  cs: 'czech',
};

const stemmers = new Map<Language, ReturnType<typeof snowball.newStemmer>>();

/**
 * The stem of a lower-case word: of an English one by Porter's algorithm (M. F.
 * Porter, "An algorithm for suffix stripping", 1980), but that a y after a
 * vowel stays, as in his later Porter2: otherwise deploy would differ from
 * deployment; of other languages by theirs. What is no word of two letters and
 * more, and in English not plain a-z, stays as it is.
 */
export function stem(text: string, language: Language = 'en'): string {
  if (language === 'en') return englishWord.test(text) ? stemmer(text).replace(/(?<=[aeou])i$/, 'y') : text;
  return word.test(text) ? (stemmerOf(language)?.stem(text) ?? text) : text;
}

/** Made when it is first needed: many teams write English only. */
function stemmerOf(language: Language): ReturnType<typeof snowball.newStemmer> | undefined {
  const algorithm = algorithms[language];
  if (algorithm === undefined) return undefined;
  const known = stemmers.get(language);
  if (known !== undefined) return known;
  const made = snowball.newStemmer(algorithm);
  stemmers.set(language, made);
  return made;
}
