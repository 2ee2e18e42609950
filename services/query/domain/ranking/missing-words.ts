import { analyze } from '../text/analyzer.ts';
import { generalRarity, isOrdinary } from '../text/general-rarity.ts';
import type { Language } from '../text/languages.ts';
import type { ScoredPassage } from './scored-passage.ts';
import { otherTerm } from './term-sequences.ts';
import { isMet, type WantedTerm, type WantedTerms } from './wanted-terms.ts';

/** A word that a question is about and that no passage of its answer has. */
export interface MissingWord {
  /** As the question has it, without a possessive s. */
  word: string;
  /** Other passages of the view have it, or what may stand for it. */
  isElsewhere: boolean;
}

/** In a long question no single word decides: of what has less of its weight nothing is said. */
const minShare = 0.1;
/** Of a question in English at least this part of the words are everyday ones; names and code in a row are in no language. */
const minEverydayShare = 0.4;
/** Forms of one name begin alike, as Italy and Italian; so do other words that share fewer characters. */
const minSharedBeginning = 4;
const partSharedByNames = 2 / 3;
/** Words of a question looked at: one of 4,000 characters has more only by design. */
const maxWords = 128;

const questionWord = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:[.'’][\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*/gu;
const endsSentence = /^[^.?!:]?[.?!:]/;
/** Acronyms, names of code, and words with digits in them. */
const identifier = /^\p{Lu}{2,}s?$|_|\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u;
const acronym = /^\p{Lu}{2,}s?$|\p{N}/u;
const capitalised = /^\p{Lu}[\p{Ll}\p{M}]/u;
/** The language that writes all nouns with a capital letter. */
const nounsInCapitals: Language = 'de';
const yearOrVersion = /^(?:\d{4}|\d+(?:\.\d+)+)$/;

interface QuestionWord {
  text: string;
  terms: readonly string[];
  isFirst: boolean;
}

/**
 * The words that a question is about and that none of these passages has, with
 * title, headings, path and fields: names, and words that are rare in general
 * English and that the view does not have at all. Everyday words may be missing:
 * notes say most things in other words than questions. Names are words with a
 * capital letter within a sentence, acronyms, identifiers, years and versions. In
 * other languages than English, whose rare words and names are not told apart as well,
 * a name is missing only where the view does not have it, and in German, where
 * all nouns have capitals, they tell nothing. A word is not missing where its
 * alternatives are there. With `isByMeaning` the passages lie near the question
 * in meaning, so that only names are missed.
 */
export function missingWords(
  { question, wanted, numbersOf }: AskedWords,
  passages: readonly ScoredPassage[],
  isByMeaning: boolean,
): MissingWord[] {
  const { language } = wanted;
  const words = wordsOf(question, language);
  const total = wanted.telling.reduce((sum, term) => sum + tellingWeight(term), 0);
  const asked = Map.groupBy(wanted.telling, (term) => term.asked);
  const isEnglish = language === 'en' && hasEverydayWords(words);
  const isName = namesIn(words, language);
  const isShown = shownIn(passages, language);
  const missing = new Map<string, MissingWord>();
  for (const word of words) {
    const terms = word.terms.flatMap((term) => asked.get(term) ?? []);
    const share = terms.reduce((sum, term) => sum + tellingWeight(term), 0) / total;
    if (terms.length === 0 || share < minShare || isShown(word, terms)) continue;
    const isElsewhere =
      numbersOf(word.text, language).every((number) => number !== otherTerm) ||
      terms.some(({ alternatives }) => alternatives.length > 0);
    const isRare = terms.every((term) => !isGuessed(term) && !isOrdinary(term.asked));
    const isMissed = isName(word)
      ? isEnglish || !isElsewhere
      : isEnglish && !isElsewhere && isRare && !isByMeaning;
    if (isMissed) missing.set(word.terms.join(' '), { word: word.text.replace(/['’]s$/, ''), isElsewhere });
  }
  return [...missing.values()];
}

/** A question as one view knows it. */
export interface AskedWords {
  question: string;
  wanted: WantedTerms;
  /** The terms of a text of this language as numbers of the view, `otherTerm` for one that it does not have. */
  numbersOf(text: string, language?: Language): number[];
}

/** How much a term says about what is wanted: the geometric mean of how rare it is in the view and in general texts. */
export function tellingWeight({ weight, rarity }: WantedTerm): number {
  return Math.sqrt(weight * rarity);
}

function wordsOf(question: string, language: Language): QuestionWord[] {
  const words: QuestionWord[] = [];
  let end = 0;
  for (const { 0: text, index } of question.matchAll(questionWord)) {
    if (words.length === maxWords) break;
    const isFirst = words.length === 0 || endsSentence.test(question.slice(end, index));
    words.push({ text, terms: analyze(text, language), isFirst });
    end = index + text.length;
  }
  return words;
}

function hasEverydayWords(words: readonly QuestionWord[]): boolean {
  const everyday = words.filter(({ terms }) => terms.some((term) => generalRarity(term) < 1));
  return everyday.length >= minEverydayShare * words.length;
}

/** Returns whether a word is a name. Capitals tell nothing where most words have one, as in headlines, or all nouns. */
function namesIn(words: readonly QuestionWord[], language: Language): (word: QuestionWord) => boolean {
  const others = words.filter(({ isFirst }) => !isFirst);
  const inCapitals = others.filter(({ text }) => /^\p{Lu}/u.test(text));
  const capitalsTell = 2 * inCapitals.length <= others.length;
  return ({ text, isFirst }) =>
    yearOrVersion.test(text) ||
    (capitalsTell &&
      (identifier.test(text) || (language !== nounsInCapitals && !isFirst && capitalised.test(text))));
}

/** Returns whether these passages have a word, one that was taken for it, or another form of it. */
function shownIn(
  passages: readonly ScoredPassage[],
  language: Language,
): (word: QuestionWord, terms: readonly WantedTerm[]) => boolean {
  const numbers = new Set(passages.flatMap(({ terms }) => [...terms]));
  let text: string | undefined;
  let known: ReadonlySet<string> | undefined;
  return (word, wanted) => {
    const has = (term: WantedTerm) => isMet(term, numbers) && isMeant(term, word);
    if (!yearOrVersion.test(word.text) && (isCompound(word) ? wanted.every(has) : wanted.some(has)))
      return true;
    text ??= passages.map(textOf).join('\n').toLowerCase();
    if (yearOrVersion.test(word.text)) return hasNumber(text, word.text);
    known ??= new Set(analyze(text, language));
    const forms = known;
    const terms = isCompound(word) ? word.terms.slice(-1) : word.terms;
    return terms.some((term) => hasForm(forms, term, capitalised.test(word.text)));
  };
}

/** Whether the terms of a word are its parts and then the whole: one part does not make it. */
function isCompound({ text, terms }: QuestionWord): boolean {
  return terms.length > 1 && identifier.test(text);
}

/** Another word may be meant by a slip of the pen, but hardly another acronym. */
function isMeant(term: WantedTerm, { text }: QuestionWord): boolean {
  return !isGuessed(term) || !acronym.test(text);
}

function isGuessed({ asked, text }: WantedTerm): boolean {
  return text !== asked;
}

/** Whether a word begins like this term: forms of names differ more than those of other words, which mostly have one stem. */
function hasForm(words: ReadonlySet<string>, term: string, isName: boolean): boolean {
  if (words.has(term)) return true;
  const shared = isName ? Math.ceil(partSharedByNames * term.length) : term.length - 1;
  if (term.length <= minSharedBeginning) return false;
  const beginning = term.slice(0, Math.max(minSharedBeginning, shared));
  for (const word of words) if (word.startsWith(beginning)) return true;
  return false;
}

/** All of a passage that may tell what it is about. */
function textOf({ passage }: ScoredPassage): string {
  const { project = '', owner = '', tags = [], date = '', status = '' } = passage.fields ?? {};
  return [
    passage.rowKey,
    passage.title,
    ...passage.headings,
    passage.text,
    project,
    owner,
    date,
    status,
    ...tags,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Whether a text has a year or version, not as a part of a longer one but as the beginning of one: 4.2 stands in 4.2.1. */
function hasNumber(text: string, number: string): boolean {
  for (let at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + 1))
    if (!/[\d.]/.test(text.charAt(at - 1)) && !/\d/.test(text.charAt(at + number.length))) return true;
  return false;
}
