import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { questionWords } from './question-words.ts';

/** Languages that are told apart. A text of any other, or of none, is taken for English. */
export const languages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pt',
  'sv',
  'da',
  'no',
  'fi',
  'pl',
  'cs',
] as const;
export type Language = (typeof languages)[number];

/** Enough of a text to know its language by, in UTF-16 units: some three hundred words. */
export const languageSample = 2_000;
/** It is read in pieces of this length; a word that is cut in two by one tells nothing. */
const pieceLength = 250;
/** Where a language has such a score, and so many times that of any other, the rest of the text is not read. */
const clearScore = 4;
const clearlyOver = 2.5;
const asciiOnly = /^\p{ASCII}*$/u;
const asciiWord = /[a-z]+/g;
const unicodeWord = /[\p{L}\p{M}]+/gu;
/** The most frequent English words tell English, whether they are stop words or not: other languages have some of them too. */
const tellingEnglish = 400;
/** A language must have this many times the evidence that English has. */
const overEnglish = 1.5;
/** And this part of the different words of the text, a word that several languages have counting in part. */
const leastPart = 0.08;

const words = JSON.parse(
  brotliDecompressSync(readFileSync(new URL('language-words.br', import.meta.url))).toString(),
) as Record<Language, { frequent: string; stops: string }>;

/** The words of a language that most of its texts are made of, the most frequent first. */
export function frequentWords(language: Language): string {
  return words[language].frequent;
}

/** Words of a language that ask, or tie a sentence together, and say little about what is wanted. */
export function stopWords(language: Language): string {
  const asking = questionWords[language].flatMap(([, listed]) => listed.split(', '));
  return [words[language].stops, ...asking.filter((word) => !word.includes(' '))].join(' ');
}

/** By word, a bit for each language that it tells. */
const languagesByWord = new Map<string, number>();
for (const [place, language] of languages.entries()) {
  const telling =
    language === 'en'
      ? `${stopWords('en')} ${frequentWords('en').split(' ').slice(0, tellingEnglish).join(' ')}`
      : stopWords(language);
  for (const word of wordsOf(telling))
    languagesByWord.set(word, (languagesByWord.get(word) ?? 0) | (1 << place));
}

/**
 * The language that most of the different stop words of a text are of, as far as its first 2,000 characters tell; it is
 * read in pieces, and no further than needed.
 */
export function languageOf(text: string): Language {
  const scores = new Float64Array(languages.length);
  // Each word counts once: code repeats what is a stop word elsewhere.
  const seen = new Set<string>();
  const sampleLength = Math.min(text.length, languageSample);
  let best = 0;
  for (let start = 0; start < sampleLength; start += pieceLength) {
    for (const word of wordsOf(text.slice(start, Math.min(start + pieceLength, sampleLength)))) {
      if (seen.has(word)) continue;
      seen.add(word);
      addScores(scores, languagesByWord.get(word) ?? 0);
    }
    best = 0;
    let second = 0;
    for (let place = 1; place < languages.length; place += 1) {
      if ((scores[place] as number) > (scores[best] as number)) {
        second = scores[best] as number;
        best = place;
      } else second = Math.max(second, scores[place] as number);
    }
    if ((scores[best] as number) >= clearScore && (scores[best] as number) > clearlyOver * second) break;
  }
  const [score, english] = [scores[best] as number, scores[0] as number];
  const isClear = score > overEnglish * english && score >= leastPart * seen.size;
  return isClear ? (languages[best] as Language) : 'en';
}

/** Counts a word for the languages whose bits it has: the more they are, the less for each. */
function addScores(scores: Float64Array, mask: number): void {
  if (mask === 0) return;
  let count = 0;
  for (let bits = mask; bits !== 0; bits &= bits - 1) count += 1;
  for (let bits = mask; bits !== 0; bits &= bits - 1) {
    const place = 31 - Math.clz32(bits & -bits);
    scores[place] = (scores[place] as number) + 1 / count;
  }
}

function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  return (asciiOnly.test(lower) ? lower.match(asciiWord) : lower.normalize('NFC').match(unicodeWord)) ?? [];
}
