import type { Bm25Index } from '../ranking/bm25-index.ts';
import { fourGramsOf } from '../ranking/four-grams.ts';
import { nearestWord } from '../ranking/spelling.ts';
import { pairsOf } from '../ranking/term-sequences.ts';
import type { TermInView, WantedTerm, WantedTerms } from '../ranking/wanted-terms.ts';
import { analyze } from '../text/analyzer.ts';
import { generalRarity, isOrdinary } from '../text/general-rarity.ts';
import type { Language } from '../text/languages.ts';
import { formsIn, isStopTerm, type QuestionTerms, questionTerms } from '../text/question-terms.ts';
import { compoundingOf, compoundsWith, otherWords, partsOf } from '../words/other-words.ts';
import { openThesaurus } from '../words/thesaurus.ts';

/** Words of one question that are looked up as misspelt: each may take a few milliseconds. */
const maxCorrections = 8;
/** Words of one question that are looked for in compounds: each may take a few milliseconds. */
const maxInCompounds = 4;
/** From here on numbers stand for words of a question that the view does not have; its vocabulary is far below that. */
const firstUnusedNumber = 2 ** 25;
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

/** Whether a view has a word, another form of it, or the words that it is put together from. Looks at its whole vocabulary. */
export function hasFormInView(
  word: string,
  { numberOf, vocabulary }: Bm25Index,
  language?: Language,
): boolean {
  const isKnown = (text: string) => {
    const terms = analyze(text, language);
    return terms.length > 0 && terms.every((term) => numberOf(term) !== undefined);
  };
  if (isKnown(word)) return true;
  if (!/^\p{L}+$/u.test(word)) return false;
  for (let cut = leastPart; cut <= word.length - leastPart; cut += 1)
    if (isKnown(word.slice(0, cut)) && isKnown(word.slice(cut))) return true;
  const [term = ''] = analyze(word.toLowerCase(), language);
  if (term.length < leastBeginning) return false;
  const least = Math.max(leastBeginning, Math.ceil(partOfBeginning * term.length));
  for (let length = least; length < term.length; length += 1)
    if (numberOf(term.slice(0, length)) !== undefined) return true;
  return vocabulary
    .beginningOrEndingWith(term, term.length)
    .some((number) => vocabulary.textOf(number).startsWith(term));
}

/** A word of a question as a view has it. */
interface KnownWord {
  /** The term of the question that it stands for. */
  asked: string;
  text: string;
  trust: number;
  others: readonly Pick<TermInView, 'text' | 'trust'>[];
}

/** What of a view tells its words. */
export interface ViewWords {
  index: Bm25Index;
  /** The languages of its items. */
  languages: readonly Language[];
}

/**
 * What a question asks for in the words of a view. A word that the view never uses is looked for in compounds, and as the
 * same word in the view's other languages; else it is taken for the two that it is put together from, or for the nearest
 * that the view does use. In steps of some milliseconds, between which the view must stay as it is.
 */
export function* wantedInView(question: string, view: ViewWords): Generator<void, WantedTerms> {
  const { index } = view;
  const asked = questionTerms(question);
  const placeInQuestion = new Map(asked.all.map((text, place) => [text, place]));
  const numberOf = (text: string) =>
    index.numberOf(text) ?? firstUnusedNumber + (placeInQuestion.get(text) ?? 0);
  const times = new Map<string, number>();
  for (const term of asked.all) times.set(term, (times.get(term) ?? 0) + 1);
  const wantedTerm = ({ asked: word, text, trust, others }: KnownWord): WantedTerm => {
    const rarity = generalRarity(word, asked.language);
    const alternatives = others.map((other) => ({ ...other, number: numberOf(other.text) }));
    const weight = index.rarity(text);
    return {
      text,
      number: numberOf(text),
      weight,
      rarity,
      trust,
      alternatives,
      asked: word,
      times: times.get(word) ?? 1,
    };
  };
  const known = yield* knownWords(question, asked, view);
  const numbers = asked.all.map(numberOf);
  const words = known.map(({ text }) => text);
  return {
    language: asked.language,
    numbers: new Set(numbers),
    telling: known.map(wantedTerm),
    pairs: pairsOf(numbers),
    fourGrams: fourGramsOf(words, index.vocabulary),
  };
}

function* knownWords(
  question: string,
  asked: QuestionTerms,
  { index, languages }: ViewWords,
): Generator<void, KnownWord[]> {
  const { telling, language } = asked;
  const isUsed = (text: string) => index.documentFrequency(text) > 0;
  const formsOf = formsFinder(question, asked, isUsed);
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
    const compounds = scans < maxInCompounds ? compoundsWith(term, compounding, index.vocabulary) : [];
    scans += 1;
    const parts = compounds.length === 0 ? partsOf(term, compounding ?? asked.language, isUsed) : undefined;
    const mayBeMisspelt = !isWord && compounds.length === 0 && parts === undefined;
    const nearest =
      mayBeMisspelt && corrections < maxCorrections
        ? nearestWord(word, index.vocabulary, index.documentFrequencyOf)
        : undefined;
    if (mayBeMisspelt) corrections += 1;
    for (const part of parts ?? []) add(part, compoundTrust);
    if (nearest !== undefined) add(nearest, trustInGuess(word));
    else if (parts === undefined) add(word, 1, trustedAs(compoundTrust, compounds));
    yield;
  }
  return [...found.values()];
}

/** Finds the forms of a question's words in other languages that a view uses; each language is looked into once, if at all. */
function formsFinder(question: string, asked: QuestionTerms, isUsed: (text: string) => boolean) {
  const known = new Map<Language, ReadonlyMap<string, string>>();
  return (word: string, others: readonly Language[]) => {
    const found = new Set<string>();
    for (const other of others) {
      if (other === asked.language) continue;
      const forms = known.get(other) ?? formsIn(other, question, asked);
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
 * there are none. In steps of some milliseconds, between which the view must stay as it is.
 */
export function* inOtherWords(
  question: string,
  wanted: WantedTerms,
  { index }: ViewWords,
): Generator<void, WantedTerms | undefined> {
  const { all, language } = questionTerms(question);
  const mostPassages = Math.max(leastTooFrequent, maxPartOfPassages * index.passageCount());
  const isUsed = (term: string) => {
    const frequency = index.documentFrequency(term);
    return frequency > 0 && frequency <= mostPassages && !isStopTerm(term, language);
  };
  const words = wanted.telling.map(({ text }) => text);
  const others = language === 'en' ? otherWords(openThesaurus(), { all, telling: words }, isUsed) : undefined;
  const compounding = compoundingOf([language]);
  const telling: WantedTerm[] = [];
  let isWider = false;
  for (const [place, term] of wanted.telling.entries()) {
    const known = new Set([...words, ...term.alternatives.map(({ text }) => text)]);
    const alternative = (text: string, trust: number): TermInView[] =>
      known.has(text) ? [] : [{ text, number: index.numberOf(text) ?? firstUnusedNumber, trust }];
    const meaning = (others?.get(term.text) ?? []).flatMap((other) =>
      alternative(other.term, otherWordTrust * other.trust),
    );
    const compounds =
      place < maxInCompounds ? compoundsWith(term.text, compounding, index.vocabulary).filter(isUsed) : [];
    const alternatives = [...meaning, ...compounds.flatMap((text) => alternative(text, compoundTrust))];
    telling.push({ ...term, alternatives: [...term.alternatives, ...alternatives] });
    isWider ||= alternatives.length > 0;
    yield;
  }
  return isWider ? { ...wanted, telling } : undefined;
}
