import { withoutReferences } from '../citations/citation-reference.ts';
import type { AnswerMarkup } from '../markup/answer-markup.ts';
import { createMarkupFilter } from '../markup/inert-filter.ts';
import type { MissingWord } from '../ranking/missing-words.ts';

/** Longer words of a question are shortened where they are repeated. */
const maxWordLength = 40;

/** Says in a paragraph which words of the question no note mentions, or none together with the rest; nothing for no words. */
export function missingParts(missing: readonly MissingWord[], markup: AnswerMarkup): string[] {
  const sentences = [
    { words: missing.filter(({ isElsewhere }) => !isElsewhere), where: '' },
    { words: missing.filter(({ isElsewhere }) => isElsewhere), where: ' in this context' },
  ].filter(({ words }) => words.length > 0);
  if (sentences.length === 0) return [];
  const text = sentences.map(({ words, where }) => `No note mentions ${listed(words)}${where}.`).join(' ');
  const filter = createMarkupFilter(markup);
  return [`${filter.push(withoutReferences(text))}${filter.end()}\n\n`];
}

/** The words as a series: "a, b or c". */
function listed(words: readonly MissingWord[]): string {
  const shown = words.map(({ word }) => shortened(word));
  return [shown.slice(0, -1).join(', '), ...shown.slice(-1)].filter((part) => part !== '').join(' or ');
}

function shortened(word: string): string {
  if (word.length <= maxWordLength) return word;
  return `${word.slice(0, maxWordLength - 1).toWellFormed()}…`;
}
