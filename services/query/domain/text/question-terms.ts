import { analyze } from './analyzer.ts';
import { type Language, languageOf, stopWords } from './languages.ts';

/** Different terms of a question that are searched for; a question of 4,000 characters has more only by design. */
const maxQuestionTerms = 128;

/** Characters of a question whose words are looked up in other languages: a new word takes some 20 µs in each. */
const maxFormsLength = 500;

/** Words that ask, or tie a sentence together, and say little about what is wanted. */
const englishStopWords = `
  a about all also am an and any anybody anyone anything are as at be because been being but by can could did do does doing done
  for from get give had has have having he her here him his how i if in into is it its just know let like many may me mean might more most
  much must my no not of often on one or our out over please shall she should show so some someone something such tell
  than that the their them then there these they this those to too us use used using versus very vs was we were what whats when where
  whether which who whom whose why will with would you your
`;

const stopTerms = new Map<Language, ReadonlySet<string>>();

/** Whether a term of a language asks, or ties a sentence together, and says little about what is wanted. */
export function isStopTerm(term: string, language: Language = 'en'): boolean {
  let known = stopTerms.get(language);
  if (known === undefined) {
    known = new Set(analyze(language === 'en' ? englishStopWords : stopWords(language), language));
    stopTerms.set(language, known);
  }
  return known.has(term);
}

/** The terms that a question asks for. */
export interface QuestionTerms {
  language: Language;
  /** All its terms, in order, with repetitions. */
  all: readonly string[];
  /** The terms that say what is wanted, each once, at most 128. */
  telling: readonly string[];
}

/** The terms of a question in its language. One of stop words only is taken at its word, so that "who are we" can be asked. */
export function questionTerms(question: string): QuestionTerms {
  const language = languageOf(question);
  const all = analyze(question, language);
  const different = [...new Set(all)];
  const telling = different.filter((term) => !isStopTerm(term, language)).slice(0, maxQuestionTerms);
  return { language, all, telling: telling.length > 0 ? telling : different.slice(0, maxQuestionTerms) };
}

/** By term of a question's first 500 characters the same word as it is a term of another language. */
export function formsIn(
  other: Language,
  { text, all }: Pick<QuestionTerms, 'all'> & { text: string },
): Map<string, string> {
  const end = text.length > maxFormsLength ? text.lastIndexOf(' ', maxFormsLength) + 1 : text.length;
  // All languages cut words at the same places, so that the terms are of the same words.
  return new Map(analyze(text.slice(0, end), other).map((form, place) => [all[place] ?? '', form]));
}
