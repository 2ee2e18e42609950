import { type DatesWanted, datesWanted } from '../dates/dates-wanted.ts';
import { analyze } from '../text/analyzer.ts';
import { type QuestionTerms, questionTerms } from '../text/question-terms.ts';
import type { Span } from '../text/sentences.ts';

/** Words of a question looked at one by one: one of 4,000 characters has more only by design. */
const maxWords = 128;

const questionWord = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:[.'’][\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*/gu;
const endsSentence = /^[^.?!:]?[.?!:]/;

/** Words that ask for what no longer holds. */
const pastWords = new RegExp(
  `(?<!\\p{L})(?:${[
    '(?<!how )old|older|previous(?:ly)?|former(?:ly)?|earlier|superseded|deprecated|obsolete|outdated|archived?|histor(?:y|ical)|used to|back then|originally|changed',
    'alte[mnrs]?|frühere?[mnrs]?|bisher(?:ige[mnrs]?)?|vorher(?:ige[mnrs]?)?|damals|ehemalige?[mnrs]?|ursprünglich\\p{L}*|archiv\\p{L}*',
    'ancien(?:ne)?s?|précédente?s?|autrefois|antigu[oa]s?|anterior(?:es)?|vecchi[oae]?|precedent[ei]|oude|vroeger[e]?|vorige|antig[oa]s?',
  ].join('|')})(?!\\p{L})`,
  'iu',
);

/** A word of a question as it is written. */
export interface QuestionWord extends Span {
  text: string;
  terms: readonly string[];
  /** It begins a sentence. */
  isFirst: boolean;
}

/** A question, read once: whoever searches and answers takes it from here. */
export interface Question extends QuestionTerms {
  /** As it was asked. */
  text: string;
  /** The day on which it was asked (UTC), YYYY-MM-DD. */
  today: string;
  /** Its words, 128 at most. */
  words: readonly QuestionWord[];
  /** The times that it asks for. */
  dates: DatesWanted;
  /** The first of the words by which it asks for what no longer holds; none where it does not. */
  past: readonly Span[];
}

/** Reads a question. `today` is the day on which it is asked, to which "now" and "last week" refer; the present one by default. */
export function readQuestion(
  text: string,
  today: string = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length),
): Question {
  const terms = questionTerms(text);
  const past = pastWords.exec(text);
  return {
    ...terms,
    text,
    today,
    words: wordsOf(text, terms.language),
    dates: datesWanted(text, today),
    past: past === null ? [] : [{ start: past.index, end: past.index + past[0].length }],
  };
}

function wordsOf(text: string, language: QuestionTerms['language']): QuestionWord[] {
  const words: QuestionWord[] = [];
  for (const { 0: word, index: start } of text.matchAll(questionWord)) {
    if (words.length === maxWords) break;
    const { end: before } = words.at(-1) ?? { end: 0 };
    const isFirst = words.length === 0 || endsSentence.test(text.slice(before, start));
    words.push({ start, end: start + word.length, text: word, terms: analyze(word, language), isFirst });
  }
  return words;
}

/** The words that lie in one of these parts of a question, and the others. */
export function partedWords(
  words: readonly QuestionWord[],
  spans: readonly Span[],
): { inside: QuestionWord[]; outside: QuestionWord[] } {
  const isInside = ({ start, end }: Span) => spans.some((span) => start < span.end && end > span.start);
  return { inside: words.filter(isInside), outside: words.filter((word) => !isInside(word)) };
}
