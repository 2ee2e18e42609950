import type { Span } from '../text/sentences.ts';
import { kindOfNoun, withoutPhrases } from './row-words.ts';

/** Stands for words that named times. */
export const time = '\ue000';

/** A word of a question. */
export interface Token {
  /** In lower case. */
  text: string;
  /** 's, @, # or + at it. */
  mark: string;
}

const tokenPattern = /\ue000|[@#+]?[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]*(?:['’]\p{L}+)?/giu;
/** Words that stand before an apostrophe, and are no word with a possessive. */
const contracted = /^(what|who|when|where|how|that|there|it|which|everything)['’]s$/u;

/** The words of a question in which parts named times: those parts are one word each, and so are phrases for what a word says. */
export function tokensOf(question: string, times: readonly Span[]): Token[] {
  return [
    ...withoutPhrases(withoutTimes(question, times).normalize('NFC').toLowerCase()).matchAll(tokenPattern),
  ].flatMap(([word]) => {
    const [, bare] = contracted.exec(word) ?? [];
    if (bare !== undefined) return [{ text: bare, mark: '' }];
    const [, elided, rest] = /^(\p{L}{1,2})['’](\p{L}+)$/u.exec(word) ?? [];
    if (elided !== undefined && rest !== undefined && rest.length > 1)
      return [elided, rest].map((text) => ({ text, mark: '' }));
    const mark = /^[@#+]/.exec(word)?.[0] ?? (/['’]s$/.test(word) ? "'s" : '');
    const text = word.replace(/^[@#+]|['’]\p{L}+$/gu, '').replace(/[._-]+$/, '');
    // "TLS-Aufgabe" has the noun of rows in it.
    const [, of, noun] = /^(.+)-(\p{L}+)$/u.exec(text) ?? [];
    if (of !== undefined && noun !== undefined && kindOfNoun.has(noun) && !kindOfNoun.has(text))
      return [of, noun].map((part) => ({ text: part, mark: '' }));
    return text === '' ? [] : [{ text, mark }];
  });
}

function withoutTimes(question: string, spans: readonly Span[]): string {
  let text = '';
  let from = 0;
  for (const { start, end } of spans) {
    text += `${question.slice(from, start)} ${time} `;
    from = Math.max(from, end);
  }
  return text + question.slice(from);
}
