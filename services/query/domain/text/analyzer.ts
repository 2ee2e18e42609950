/// <reference path="snowball-stemmers.d.ts" />

import snowball from 'snowball-stemmers';
import { stemmer } from 'stemmer';
import type { Language } from './languages.ts';

/** Longest term kept, in UTF-16 units: longer runs are data, not words, and would only fill the vocabulary. */
const maxTermLength = 64;

/** Scripts written without spaces; only these need a dictionary to find words. */
const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const asciiOnly = /^\p{ASCII}*$/u;
const identifier = /_|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;
const plainTerm = /^[a-z0-9_]*$/;
const noPartOfTerm = /[^\p{L}\p{M}\p{N}_]+/gu;
const hanWord = /^\p{Script=Han}{3,}$/u;
const identifierPart = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\p{N}_]+|\p{N}+/gu;

/** Short words that French and Italian tie to the next one: l'équipe, dell'ufficio. */
const elision =
  /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quelqu|un|dell|all|nell|sull|dall|quell|quest)'(?=\p{L}{2})/u;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Letters, marks, numbers and underscores, with apostrophes between letters. */
const words = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:['’]\p{L}+)*/gu;
/** The terms of words that were met, by language: nearly all text is words seen before, and nearly all have one. */
const remembered = new Map<Language, Map<string, string | readonly string[]>>();
/** Words of a language that are remembered, about the vocabulary of a large team. Longer words are seldom seen twice. */
const maxRemembered = 65_536;
const maxRememberedLength = 24;

/**
 * Turns text into index terms, in reading order: Unicode words, case and
 * accents folded, reduced to their stem in this language. Identifiers give
 * their parts and then the whole: `maxBodyBytes` and `MAX_BODY_BYTES` both
 * give max, body, byte, maxbodybytes. Paths fall apart at their separators.
 * Chinese words of three characters and more also give each two neighbours, for
 * what is one word here may be several elsewhere. Time is linear in the text.
 */
export function analyze(text: string, language: Language = 'en'): string[] {
  const known = remembered.getOrInsertComputed(language, () => new Map<string, string | readonly string[]>());
  // Emptied whole when full: terms are cheap to find again, and order of use costs more to keep.
  if (known.size >= maxRemembered) known.clear();
  // Most of an index's time goes here. The array of words becomes that of terms, because one that grows takes twice as long.
  const found: (string | readonly string[])[] = text.match(words) ?? [];
  let hasOthers = false;
  for (let place = 0; place < found.length; place += 1) {
    const word = found[place] as string;
    let terms = known.get(word);
    if (terms === undefined) {
      terms = termsOfWord(word, language);
      if (word.length <= maxRememberedLength) known.set(word, terms);
    }
    found[place] = terms;
    hasOthers ||= typeof terms !== 'string';
  }
  return hasOthers ? found.flat() : (found as string[]);
}

function termsOfWord(word: string, language: Language): string | readonly string[] {
  const terms: string[] = [];
  addWord(word, language, terms);
  return terms.length === 1 ? (terms[0] as string) : terms;
}

function addWord(word: string, language: Language, terms: string[]): void {
  if (unspacedScript.test(word)) addSegments(word, terms);
  else if (identifier.test(word)) addIdentifier(word, language, terms);
  else addTerm(word, language, terms);
}

function addIdentifier(word: string, language: Language, terms: string[]): void {
  const parts = word.match(identifierPart) ?? [];
  for (const part of parts) addTerm(part, language, terms);
  if (parts.length > 1) addTerm(parts.join(''), language, terms);
}

function addSegments(run: string, terms: string[]): void {
  for (const { segment, isWordLike } of segmenter.segment(run)) {
    if (!isWordLike) continue;
    if (hanWord.test(segment)) addNeighbours([...segment], terms);
    addTerm(segment, 'en', terms);
  }
}

function addNeighbours(characters: readonly string[], terms: string[]): void {
  for (const [index, character] of characters.entries()) {
    if (index > 0) addTerm(`${characters[index - 1]}${character}`, 'en', terms);
  }
}

function addTerm(word: string, language: Language, terms: string[]): void {
  const short = word.slice(0, maxTermLength);
  const term = language === 'en' ? stem(fold(short)) : foreignTerm(short, language);
  // Compatibility forms may have blanks and brackets in them, and a cut may leave half a character: no parts of words.
  const whole = plainTerm.test(term) ? term : term.replace(noPartOfTerm, '');
  if (whole !== '') terms.push(whole);
}

/** Other stemmers than the English one need the accents, which are folded afterwards. */
function foreignTerm(word: string, language: Language): string {
  const lower = word.normalize('NFKC').toLowerCase().replaceAll('’', "'").replace(elision, '');
  return withoutAccents(stem(lower.replaceAll("'", ''), language));
}

/** Lower case, compatibility forms and Latin accents unified, possessive and apostrophes dropped. */
function fold(word: string): string {
  const plain = asciiOnly.test(word) ? word : withoutAccents(word);
  const lower = plain.toLowerCase();
  return lower.includes("'") ? lower.replace(/'s$/, '').replaceAll("'", '') : lower;
}

function withoutAccents(word: string): string {
  return word
    .replaceAll('’', "'")
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC');
}

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
