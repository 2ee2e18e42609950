import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

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
const lettersOfWord = /[\p{L}\p{M}]+/gu;
/** The most frequent English words tell English, whether they are stop words or not: other languages have some of them too. */
const tellingEnglish = 400;
/** A language must have this many times the evidence that English has. */
const overEnglish = 1.5;
/** And this part of the different words of the text, a word that several languages have counting in part. */
const leastPart = 0.08;

const words = JSON.parse(
  brotliDecompressSync(readFileSync(new URL('language-words.br', import.meta.url))).toString(),
) as Record<Language, { frequent: string; stops: string }>;

/** By language the words that questions begin with, in lower case. */
export const questionWords: Record<Language, string> = {
  en: 'who whom whose when where why how what which',
  de: 'wieviele wieviel wer wen wem wessen wann wo wohin woher warum weshalb wieso weswegen wozu wie womit wodurch was welche welcher welches welchen welchem worum wofür woran worüber',
  fr: 'combien qui quand où d’où pourquoi comment quel quelle quels quelles que quoi qu’est-ce lequel laquelle lesquels',
  es: 'cuántos cuántas cuánto cuánta cuantos cuantas cuanto cuanta quién quiénes quien quienes cuándo cuando dónde donde adónde cómo como qué que cuál cuáles cual cuales',
  it: 'quanti quante quanto quanta chi quando dove dov’è perché perche come com’è che cosa cos’è quale quali qual',
  nl: 'hoeveel wie wiens wanneer waar waarheen waarvandaan waarom waarvoor hoe waarmee wat welke welk waarover',
  pt: 'quantos quantas quanto quanta quem quando onde aonde porque porquê como que qual quais',
  sv: 'vem vems vilka när var vart varifrån varför hur vad vilken vilket',
  da: 'hvem hvis hvornår hvorfor hvordan hvor hvorhen hvorfra hvad hvilken hvilket hvilke',
  no: 'hvem hvems når hvorfor hvordan hvor hvorfra hva hvilken hvilket hvilke',
  fi: 'montako paljonko kuka kenen kenelle ketkä kenet milloin koska missä minne mistä mihin miksi miten kuinka mikä mitä mitkä minkä kumpi millainen',
  pl: 'ile ilu kto kogo komu kim czyj kiedy gdzie dokąd skąd dlaczego czemu jak co czego który która które jaki jaka jakie',
  cs: 'kolik kdo koho komu kým čí kdy odkdy dokdy kde kam odkud proč jak co čeho který která které jaký jaká jaké',
};

/** The words of a language that most of its texts are made of, the most frequent first. */
export function frequentWords(language: Language): string {
  return words[language].frequent;
}

/** Words of a language that ask, or tie a sentence together, and say little about what is wanted. */
export function stopWords(language: Language): string {
  return `${words[language].stops} ${questionWords[language]}`;
}

/** By word a bit for each language that it tells. */
const languagesTold = new Map<string, number>();
for (const [number, language] of languages.entries()) {
  const telling =
    language === 'en'
      ? `${stopWords('en')} ${frequentWords('en').split(' ').slice(0, tellingEnglish).join(' ')}`
      : stopWords(language);
  for (const word of wordsIn(telling))
    languagesTold.set(word, (languagesTold.get(word) ?? 0) | (1 << number));
}

/**
 * The language that most of the different stop words of these texts are of, as far as their first 2,000 characters tell;
 * they are read in pieces, and no further than needed.
 */
export function languageOf(...texts: readonly string[]): Language {
  const scores = new Float64Array(languages.length);
  // Each word counts once: code repeats what is a stop word elsewhere.
  const seen = new Set<string>();
  for (const piece of piecesOf(texts)) {
    for (const word of wordsIn(piece)) {
      if (seen.has(word)) continue;
      seen.add(word);
      addScores(scores, languagesTold.get(word) ?? 0);
    }
    const { first, second } = best(scores);
    if ((scores[first] as number) >= clearScore && (scores[first] as number) > clearlyOver * second) break;
  }
  const { first } = best(scores);
  const [score, english] = [scores[first] as number, scores[0] as number];
  const isClear = score > overEnglish * english && score >= leastPart * seen.size;
  return isClear ? (languages[first] as Language) : 'en';
}

/** The first 2,000 characters of these texts, in pieces. */
function* piecesOf(texts: readonly string[]): Generator<string> {
  let left = languageSample;
  for (const text of texts) {
    const end = Math.min(text.length, left);
    for (let start = 0; start < end; start += pieceLength)
      yield text.slice(start, Math.min(start + pieceLength, end));
    left -= end;
  }
}

/** The words of letters that a text has, in lower case, accents being parts of their letters. */
function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().normalize('NFC').match(lettersOfWord) ?? [];
}

/** The place of the best score, and how high the next one is. */
function best(scores: Float64Array): { first: number; second: number } {
  let [first, second] = [0, 0];
  for (let place = 1; place < scores.length; place += 1) {
    if ((scores[place] as number) > (scores[first] as number)) {
      second = scores[first] as number;
      first = place;
    } else second = Math.max(second, scores[place] as number);
  }
  return { first, second };
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
