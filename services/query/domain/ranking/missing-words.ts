import { generalRarity, isOrdinary } from '../text/general-rarity.ts';
import type { Language } from '../text/languages.ts';
import type { QuestionWord } from './question.ts';
import type { ScoredPassage } from './scored-passage.ts';
import { isMet, type WantedTerm, type WantedTerms } from './wanted-terms.ts';

/** A word that a question is about and that no note of the view has in any form. */
export interface MissingWord {
  /** As the question has it, without a possessive s. */
  word: string;
  /** The part of the question's weight that it has, 0 to 1. */
  share: number;
}

/** In a long question no single word decides: of what has less of its weight nothing is said. */
const minShare = 0.1;
/** Of a question in English at least this part of the words are everyday ones; names and code in a row are in no language. */
const minEverydayShare = 0.4;
/** Words whose forms are looked for in the vocabulary, each of which may take some milliseconds. */
const maxLookedUp = 4;

/** Acronyms, names of code, and words with digits in them. */
const identifier = /^\p{Lu}{2,}s?$|_|\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u;
const acronym = /^\p{Lu}{2,}s?$|\p{N}/u;
const capitalised = /^\p{Lu}[\p{Ll}\p{M}]/u;
/** The language that writes all nouns with a capital letter. */
const nounsInCapitals: Language = 'de';
const year = /^\d{4}$/;

/**
 * Returns the words that a question is about and that no note has in any form: names, and words that are rare in general
 * English. Everyday words may be missing: notes say most things in other words than questions. Names are words with a
 * capital letter within a sentence, acronyms, identifiers and years; in German, where all nouns have capitals,
 * these tell nothing. Words that were taken for slips of the pen, and those that other words stand for, are not missing.
 * With `isByMeaning` the passages lie near the question in meaning, so that only names are missed.
 */
export function missingWords(
  { words, wanted, hasFormOf }: AskedWords,
  passages: readonly ScoredPassage[],
  isByMeaning: boolean,
): MissingWord[] {
  const { language } = wanted;
  const asked = Map.groupBy(wanted.telling, (term) => term.asked);
  const isEnglish = language === 'en' && hasEverydayWords(words);
  const isName = namesIn(words, language);
  const shown = new Set(passages.flatMap(({ terms }) => [...terms]));
  const missing = new Map<string, MissingWord>();
  let lookedUp = 0;
  for (const [place, word] of words.entries()) {
    const terms = word.terms.flatMap((term) => asked.get(term) ?? []);
    const share = shareOf(terms, wanted);
    const isRare = isEnglish && !isByMeaning && terms.every(({ asked: term }) => !isOrdinary(term));
    if (share < minShare || !(isName(word) || isRare)) continue;
    if (terms.some((term) => isGuessed(term) && !acronym.test(word.text))) continue;
    // Neither other words stand for a name of code, nor its parts.
    const isReplaced = (term: WantedTerm) => term.alternatives.length > 0 || isMet(term, shown);
    if (!identifier.test(word.text) && terms.some(isReplaced)) continue;
    lookedUp += 1;
    const before = `${words[place - 1]?.text ?? ''}${word.text}`;
    const behind = `${word.text}${words[place + 1]?.text ?? ''}`;
    const forms = [word.text, before.toLowerCase(), behind.toLowerCase()];
    if (lookedUp > maxLookedUp || forms.some((form) => hasFormOf(form, language))) continue;
    missing.set(word.terms.join(' '), { word: word.text.replace(/['’]s$/, ''), share });
  }
  return [...missing.values()];
}

/** A question as one view knows it. */
export interface AskedWords {
  /** Those of its words that say more than its time. */
  words: readonly QuestionWord[];
  wanted: WantedTerms;
  /** Whether the view has a word, whole or parted, or another form of it. May take some milliseconds. */
  hasFormOf(word: string, language?: Language): boolean;
}

/** How much a term says about what is wanted: the geometric mean of how rare it is in the view and in general texts. */
export function tellingWeight({ weight, rarity }: WantedTerm): number {
  return Math.sqrt(weight * rarity);
}

/** The part of a question's weight that some of its terms have, 0 to 1. */
export function shareOf(terms: readonly WantedTerm[], { telling }: WantedTerms): number {
  const sum = (all: readonly WantedTerm[]) => all.reduce((total, term) => total + tellingWeight(term), 0);
  return terms.length === 0 ? 0 : sum(terms) / sum(telling);
}

function hasEverydayWords(words: readonly QuestionWord[]): boolean {
  const everyday = words.filter(({ terms }) => terms.some((term) => generalRarity(term) < 1));
  return everyday.length >= minEverydayShare * words.length;
}

/** Returns whether a word is a name. Capitals tell nothing where most words have one, as in headlines, or all nouns. */
function namesIn(words: readonly QuestionWord[], language: Language): (word: QuestionWord) => boolean {
  const others = words.filter(({ isFirst }, place) => !isFirst && place > 0);
  const inCapitals = others.filter(({ text }) => /^\p{Lu}/u.test(text));
  const capitalsTell = 2 * inCapitals.length <= others.length;
  return ({ text, isFirst }) =>
    year.test(text) ||
    (capitalsTell &&
      (identifier.test(text) || (language !== nounsInCapitals && !isFirst && capitalised.test(text))));
}

function isGuessed({ asked, text }: WantedTerm): boolean {
  return text !== asked;
}
