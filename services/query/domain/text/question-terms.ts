import { analyze } from './analyzer.ts';

/** Different terms of a question that are searched for; a question of 4,000 characters has more only by design. */
const maxQuestionTerms = 128;

/** Words that ask, or tie a sentence together, and say little about what is wanted. */
const stopWords = `
  a about all also am an and any anybody anyone anything are as at be because been being but by can could did do does doing done
  for from get give had has have having he her here him his how i if in into is it its just know let like many may me mean might more most
  much must my no not of often on one or our out over please shall she should show so some someone something such tell
  than that the their them then there these they this those to too us use used using very was we were what whats when where
  whether which who whom whose why will with would you your
`;

const stopTerms = new Set(analyze(stopWords));

/** What a question asks for. */
export interface QuestionTerms {
  /** All its terms, in order, with repetitions. */
  all: readonly string[];
  /** The terms that say what is wanted, each once, at most 128. */
  telling: readonly string[];
  /** The stop words beside them, each once, at most 128. */
  stops: readonly string[];
}

/** The terms of a question. One of stop words only is taken at its word, so that "who are we" can be asked. */
export function questionTerms(question: string): QuestionTerms {
  const all = analyze(question);
  const different = [...new Set(all)];
  const telling = different.filter((term) => !stopTerms.has(term)).slice(0, maxQuestionTerms);
  if (telling.length === 0) return { all, telling: different.slice(0, maxQuestionTerms), stops: [] };
  const stops = different.filter((term) => stopTerms.has(term)).slice(0, maxQuestionTerms);
  return { all, telling, stops };
}
