import type { Question } from '../ranking/question.ts';
import { nearestWord } from '../ranking/spelling.ts';
import {
  fourGramsOf,
  pairsOf,
  type TermInView,
  type WantedTerm,
  type WantedTerms,
} from '../ranking/wanted-terms.ts';
import { analyze } from '../text/analyzer.ts';
import { generalRarity, isOrdinary } from '../text/general-rarity.ts';
import type { Language } from '../text/languages.ts';
import { formsIn, isStopTerm } from '../text/question-terms.ts';
import { compoundingOf, compoundsWith, otherWords, partsOf } from '../words/other-words.ts';
import type { Thesaurus } from '../words/thesaurus.ts';
import type { ViewWords } from '../words/vocabulary.ts';

/** Words of one question that are looked up as misspelt: each may take a few milliseconds. */
const maxCorrections = 8;
/** Words of one question that are looked for in compounds: each may take a few milliseconds. */
const maxInCompounds = 4;
/** Another word says what was meant less surely than the asker's own. */
const otherWordTrust = 0.8;
/** A word of more passages than both this part and this number tells little, and takes long to search for. */
const maxPartOfPassages = 0.1;
const leastTooFrequent = 50;
/** A compound speaks of something narrower, or a part of it of something wider. */
const compoundTrust = 0.7;

/** Shorter parts of a word stand in too many texts by chance. */
const leastPart = 4;
/** Forms of one word begin alike; so do other words that share fewer characters, or a smaller part. */
const leastBeginning = 4;
const partOfBeginning = 0.7;

/** Longer words are data. */
const longestWord = 64;

/** Whether a view has a word, another form of it, or the words that it is put together from. */
export function hasFormInView(word: string, words: ViewWords, language?: Language): boolean {
  const isKnown = (text: string) => {
    const terms = analyze(text, language);
    return terms.length > 0 && terms.every((term) => words.frequencyOf(term) > 0);
  };
  if (isKnown(word)) return true;
  if (!/^\p{L}+$/u.test(word)) return false;
  for (let cut = leastPart; cut <= word.length - leastPart; cut += 1)
    if (isKnown(word.slice(0, cut)) && isKnown(word.slice(cut))) return true;
  const [term = ''] = analyze(word.toLowerCase(), language);
  if (term.length < leastBeginning) return false;
  const least = Math.max(leastBeginning, Math.ceil(partOfBeginning * term.length));
  for (let length = least; length < term.length; length += 1)
    if (words.frequencyOf(term.slice(0, length)) > 0) return true;
  return words.wordsBeginningWith(term, { least: 1, most: longestWord, limit: 1 }).length > 0;
}

/** A word of a question as a view has it. */
interface KnownWord {
  /** The term of the question that it stands for. */
  asked: string;
  text: string;
  trust: number;
  others: readonly Pick<TermInView, 'text' | 'trust'>[];
}

/**
 * What a question asks for in the words of a view. A word that the view never uses is looked for in compounds, and as the
 * same word in the view's other languages; else it is taken for the two that it is put together from, or for the nearest
 * that the view does use.
 */
export function wantedInView(question: Question, words: ViewWords): WantedTerms {
  const { wantedNumberOf } = words;
  const wantedTerm = ({ asked: word, text, trust, others }: KnownWord): WantedTerm => {
    const rarity = generalRarity(word, question.language);
    const alternatives = others.map((other) => ({ ...other, number: wantedNumberOf(other.text) }));
    const weight = words.rarityOf(text);
    return {
      text,
      number: wantedNumberOf(text),
      weight,
      rarity,
      trust,
      alternatives,
      asked: word,
    };
  };
  const known = knownWords(question, words);
  const numbers = question.all.map(wantedNumberOf);
  const texts = known.map(({ text }) => text);
  return {
    language: question.language,
    numbers: new Set(numbers),
    telling: known.map(wantedTerm),
    pairs: pairsOf(numbers),
    fourGrams: fourGramsOf(texts),
  };
}

function knownWords(question: Question, words: ViewWords): KnownWord[] {
  const { telling, language } = question;
  const { languages } = words.statistics;
  const isUsed = (text: string) => words.frequencyOf(text) > 0;
  const formsOf = formsFinder(question, isUsed);
  const foreign = languages.filter((other) => other !== language);
  const found = new Map<string, KnownWord>();
  const add = (text: string, trust: number, others: KnownWord['others'] = []) => {
    if (!found.has(text)) found.set(text, { asked: word, text, trust, others });
  };
  let [corrections, scans] = [0, 0];
  let word = '';
  for (word of telling) {
    const isUsedHere = isUsed(word);
    // A word that the language has is neither one of another language nor another one misspelt.
    const isWord = !isUsedHere && isOrdinary(word, language);
    // Notes have English words in every language.
    const others = isUsedHere || isWord ? formsOf(word, ['en']) : formsOf(word, foreign);
    if (isUsedHere || others.length > 0) {
      add(word, 1, others);
      continue;
    }
    const compounding = compoundingOf(isWord ? [language] : [language, ...foreign]);
    const [term = word] = compounding === language ? [word] : analyze(word, compounding);
    const compounds = scans < maxInCompounds ? compoundsWith(term, compounding, words) : [];
    scans += 1;
    const parts = compounds.length === 0 ? partsOf(term, compounding ?? language, isUsed) : undefined;
    const mayBeMisspelt = !isWord && compounds.length === 0 && parts === undefined;
    const nearest = mayBeMisspelt && corrections < maxCorrections ? nearestWord(word, words) : undefined;
    if (mayBeMisspelt) corrections += 1;
    for (const part of parts ?? []) add(part, compoundTrust);
    if (nearest !== undefined) add(nearest, trustInGuess(word));
    else if (parts === undefined) add(word, 1, trustedAs(compoundTrust, compounds));
  }
  return [...found.values()];
}

/** Finds the forms of a question's words in other languages that a view uses; each language is looked into once, if at all. */
function formsFinder(question: Question, isUsed: (text: string) => boolean) {
  const known = new Map<Language, ReadonlyMap<string, string>>();
  return (word: string, others: readonly Language[]) => {
    const found = new Set<string>();
    for (const other of others) {
      if (other === question.language) continue;
      const forms = known.get(other) ?? formsIn(other, question);
      known.set(other, forms);
      const form = forms.get(word);
      if (form !== undefined && form !== word && isUsed(form)) found.add(form);
    }
    return trustedAs(1, [...found]);
  };
}

function trustedAs(trust: number, texts: readonly string[]): KnownWord['others'] {
  return texts.map((text) => ({ text, trust }));
}

/** A word may not be what was meant by the one it was taken for; the shorter, the likelier it is another. */
function trustInGuess({ length }: string): number {
  return 1 - 2 / length;
}

/**
 * The same, its words met by others of the view that mean the same too, and by compounds that have them; undefined where
 * there are none.
 */
export function inOtherWords(
  { all, language }: Question,
  wanted: WantedTerms,
  view: ViewWords,
  thesaurus: () => Thesaurus,
): WantedTerms | undefined {
  const mostPassages = Math.max(leastTooFrequent, maxPartOfPassages * view.statistics.passages);
  const isUsed = (term: string) => {
    const frequency = view.frequencyOf(term);
    return frequency > 0 && frequency <= mostPassages && !isStopTerm(term, language);
  };
  const words = wanted.telling.map(({ text }) => text);
  const others = language === 'en' ? otherWords(thesaurus(), { all, telling: words }, isUsed) : undefined;
  const compounding = compoundingOf([language]);
  const telling: WantedTerm[] = [];
  let isWider = false;
  for (const [place, term] of wanted.telling.entries()) {
    const known = new Set([...words, ...term.alternatives.map(({ text }) => text)]);
    const alternative = (text: string, trust: number): TermInView[] =>
      known.has(text) ? [] : [{ text, number: view.wantedNumberOf(text), trust }];
    const meaning = (others?.get(term.text) ?? []).flatMap((other) =>
      alternative(other.term, otherWordTrust * other.trust),
    );
    const compounds =
      place < maxInCompounds ? compoundsWith(term.text, compounding, view).filter(isUsed) : [];
    const alternatives = [...meaning, ...compounds.flatMap((text) => alternative(text, compoundTrust))];
    telling.push({ ...term, alternatives: [...term.alternatives, ...alternatives] });
    isWider ||= alternatives.length > 0;
  }
  return isWider ? { ...wanted, telling } : undefined;
}
