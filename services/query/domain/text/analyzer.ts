import { type Language, languages } from './languages.ts';
import { stem } from './stem.ts';

/** Longest term kept, in UTF-16 units: longer runs are data, not words, and would only fill the vocabulary. */
const maxTermLength = 64;

/** Scripts written without spaces; only these need a dictionary to find words. */
const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const asciiOnly = /^\p{ASCII}*$/u;
// The two patterns find the same words in ASCII text; the first is several times faster.
const asciiWord = /[A-Za-z0-9_]+(?:'[A-Za-z]+)*/g;
const unicodeWord = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:['’]\p{L}+)*/gu;
const identifier = /_|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;
const hanWord = /^\p{Script=Han}{3,}$/u;
const identifierPart = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\p{N}_]+|\p{N}+/gu;

/** Words whose terms are remembered, about the vocabulary of a large team: 16 MB at most. Nearly all text is words seen before. */
const maxRememberedWords = 50_000;
/** Longer words are seldom seen twice. */
const maxRememberedLength = 24;
let rememberedWords = 0;
const remembered = Object.fromEntries(
  languages.map((language) => [language, new Map<string, readonly string[]>()]),
) as Record<Language, Map<string, readonly string[]>>;

/** Short words that French and Italian tie to the next one: l'équipe, dell'ufficio. */
const elision =
  /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quelqu|un|dell|all|nell|sull|dall|quell|quest)'(?=\p{L}{2})/u;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * Turns text into index terms, in reading order: Unicode words, case and
 * accents folded, reduced to their stem in this language. Identifiers give
 * their parts and then the whole: `maxBodyBytes` and `MAX_BODY_BYTES` both
 * give max, body, byte, maxbodybytes. Paths fall apart at their separators.
 * Chinese words of three characters and more also give each two neighbours, for
 * what is one word here may be several elsewhere. Time is linear in the text.
 */
export function analyze(text: string, language: Language = 'en'): string[] {
  const terms: string[] = [];
  const words = text.match(asciiOnly.test(text) ? asciiWord : unicodeWord) ?? [];
  const known = remembered[language];
  for (const word of words) for (const term of termsOf(word, language, known)) terms.push(term);
  return terms;
}

function termsOf(word: string, language: Language, known: Map<string, readonly string[]>): readonly string[] {
  const found = known.get(word);
  if (found !== undefined) return found;
  const terms: string[] = [];
  addWord(word, language, terms);
  if (word.length > maxRememberedLength) return terms;
  // Emptied whole when full: terms are cheap to find again, and order of use costs more to keep.
  if (rememberedWords >= maxRememberedWords) {
    for (const words of Object.values(remembered)) words.clear();
    rememberedWords = 0;
  }
  rememberedWords += 1;
  known.set(word, terms);
  return terms;
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
  if (term !== '') terms.push(term);
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
