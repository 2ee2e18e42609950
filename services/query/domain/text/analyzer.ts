import { stem } from './stem.ts';
import { createTermCache } from './term-cache.ts';

/** Longest term kept, in UTF-16 units: longer runs are data, not words, and would only fill the vocabulary. */
const maxTermLength = 64;

/** Scripts written without spaces; only these need a dictionary to find words. */
const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const asciiOnly = /^\p{ASCII}*$/u;
const identifier = /_|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;
const hanWord = /^\p{Script=Han}{3,}$/u;
const identifierPart = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\p{N}_]+|\p{N}+/gu;

/** The terms of texts by ids, without strings, for what takes up many texts. */
export const termCache = createTermCache(termsOfWord);
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * Turns text into index terms, in reading order: Unicode words, case and
 * accents folded, English words reduced to their Porter stem. Identifiers give
 * their parts and then the whole: `maxBodyBytes` and `MAX_BODY_BYTES` both
 * give max, body, byte, maxbodybytes. Paths fall apart at their separators.
 * Chinese words of three characters and more also give each two neighbours, for
 * what is one word here may be several elsewhere. Time is linear in the text.
 */
export function analyze(text: string): string[] {
  termCache.begin();
  const count = termCache.find(text);
  return Array.from(termCache.found().subarray(0, count), termCache.textOf);
}

function termsOfWord(word: string): string[] {
  const terms: string[] = [];
  addWord(word, terms);
  return terms;
}

function addWord(word: string, terms: string[]): void {
  if (unspacedScript.test(word)) addSegments(word, terms);
  else if (identifier.test(word)) addIdentifier(word, terms);
  else addTerm(word, terms);
}

function addIdentifier(word: string, terms: string[]): void {
  const parts = word.match(identifierPart) ?? [];
  for (const part of parts) addTerm(part, terms);
  if (parts.length > 1) addTerm(parts.join(''), terms);
}

function addSegments(run: string, terms: string[]): void {
  for (const { segment, isWordLike } of segmenter.segment(run)) {
    if (!isWordLike) continue;
    if (hanWord.test(segment)) addNeighbours([...segment], terms);
    addTerm(segment, terms);
  }
}

function addNeighbours(characters: readonly string[], terms: string[]): void {
  for (const [index, character] of characters.entries()) {
    if (index > 0) addTerm(`${characters[index - 1]}${character}`, terms);
  }
}

function addTerm(word: string, terms: string[]): void {
  const folded = fold(word.slice(0, maxTermLength));
  if (folded !== '') terms.push(stem(folded));
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
