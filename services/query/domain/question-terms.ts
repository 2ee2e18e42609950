import { analyze } from './analyzer.ts';

/** Different terms of a question that are searched for; a question of 4,000 characters has more only by design. */
const maxQuestionTerms = 128;

/** Words that ask, or tie a sentence together, and say nothing about what is wanted. */
const stopWords = `
  a about all also am an and any anybody anyone anything are as at be because been being but by can could did do does doing done
  for from get give had has have having he her here him his how i if in into is it its just know let like many may me mean might more most
  much must my no not of often on one or our out over please shall she should show so some someone something such tell
  than that the their them then there these they this those to too us use used using very was we were what whats when where
  whether which who whom whose why will with would you your
`;

const stopTerms = new Set(analyze(stopWords));

/** Whether a term (a stem) is one of the stop words. */
export function isStopTerm(term: string): boolean {
  return stopTerms.has(term);
}

/**
 * The terms of a question in its own order, without stop words and without
 * repetitions, at most 128. A question of stop words only keeps them, so that
 * "who are we" can be asked.
 */
export function questionTerms(question: string): string[] {
  const terms = [...new Set(analyze(question))];
  const telling = terms.filter((term) => !isStopTerm(term));
  return (telling.length > 0 ? telling : terms).slice(0, maxQuestionTerms);
}
