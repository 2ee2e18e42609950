import type { Answer, Source } from '../citations/answer.ts';
import { withoutReferences } from '../citations/citation-reference.ts';
import type { AnswerMarkup } from '../markup/answer-markup.ts';
import { createMarkupFilter } from '../markup/inert-filter.ts';
import { publicKeyOf } from '../passages/document-key.ts';
import type { IndexedPassage } from '../passages/passage.ts';
import type { MissingWord } from '../ranking/missing-words.ts';
import { relevanceOf } from '../ranking/relevance.ts';
import type { Findings } from '../views/view-index.ts';
import { withoutContradicted } from './contradictions.ts';
import { withFieldLines } from './field-lines.ts';
import { isOneBlock, quotedParts } from './quoted-parts.ts';
import { type Quote, quotesOf } from './quotes.ts';
import { quotedForTheirTime } from './time-mark.ts';

/** Longer answers held the wanted words hardly more often, and take longer to read. */
const maxSentences = 4;
/**
 * Quotes of other passages, and all after one that has all that its passage has of the question, must have more than
 * this part of what the best one has.
 */
const minPartOfBest = 0.5;
/** Longer words of a question are shortened where they are repeated. */
const maxWordLength = 40;
const nothingFound = "Nothing in this team's memory answers this question.";

/**
 * Answers with the best quotes of the best passages, four at most, verbatim, in
 * reading order, each followed by its citation; fewer where one says it all.
 * Sources are numbered by their best passage. Bracketed numbers in a quote
 * become `(12)`, so that every `[n]` is a citation; other markup is made inert,
 * unless it is wanted. Where too little speaks for
 * any passage the answer says that nothing was found.
 */
export function extractiveAnswer(findings: Findings, markup: AnswerMarkup = 'inert'): Answer {
  const { passages, missing } = relevanceOf(findings);
  const relevant = withFieldLines(quotedForTheirTime(passages), findings);
  const quotes = bestQuotes(relevant.hits.flatMap((hit, rank) => quotesOf(hit, rank, relevant.findings)));
  const sources = sourcesOf(quotes);
  if (sources.size === 0) return { parts: [nothingFound], sources: [] };
  const numberOf = new Map([...sources.keys()].map((key, index) => [key, index + 1]));
  const inOrder = quotes
    .map((quote) => ({ ...quote, number: numberOf.get(quote.hit.passage.rowKey) ?? 0 }))
    .sort((left, right) => left.number - right.number || byPlace(left, right));
  return {
    parts: [...missingParts(missing, markup), ...quotedParts(inOrder, markup)],
    sources: [...sources.values()],
  };
}

/** Says which words of the question no note mentions, in a paragraph; nothing where there are none. */
function missingParts(missing: readonly MissingWord[], markup: AnswerMarkup): string[] {
  const wordsOf = (isElsewhere: boolean) =>
    missing.filter((each) => each.isElsewhere === isElsewhere).map(({ word }) => shortened(word));
  const sentences = [
    { words: wordsOf(false), where: '' },
    { words: wordsOf(true), where: ' in this context' },
  ].filter(({ words }) => words.length > 0);
  if (sentences.length === 0) return [];
  const text = sentences.map(({ words, where }) => `No note mentions ${listed(words)}${where}.`).join(' ');
  const filter = createMarkupFilter(markup);
  return [`${filter.push(withoutReferences(text))}${filter.end()}\n\n`];
}

function listed(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' or ');
}

function shortened(word: string): string {
  return word.length <= maxWordLength
    ? word
    : `${[...word.slice(0, maxWordLength - 1)].join('').toWellFormed()}…`;
}

function bestQuotes(quotes: readonly Quote[]): Quote[] {
  const chosen: Quote[] = [];
  const ranked = [...quotes].sort(
    (left, right) => right.score - left.score || left.rank - right.rank || left.start - right.start,
  );
  for (const quote of withoutContradicted(ranked)) {
    if (chosen.length === maxSentences) break;
    const [best] = chosen;
    const mustCompare = best && (best.complete || quote.rank > 0);
    if (mustCompare && quote.covered <= minPartOfBest * best.covered) continue;
    // Every row has the words of the head of its table.
    const isLesserRow = (other: Quote) => isOneBlock(other, quote) && quote.covered < other.covered;
    if (quote.layout === 'row' && chosen.some(isLesserRow)) continue;
    if (!chosen.some(({ text }) => sameWords(text, quote.text))) chosen.push(quote);
  }
  return chosen;
}

/** Copies often differ in how their lines are broken. */
function sameWords(left: string, right: string): boolean {
  return left.replace(/\s+/g, ' ') === right.replace(/\s+/g, ' ');
}

/** A passage's item, decision or project as a source. */
export function sourceOf({ rowKey, title, tier, kind, fields }: IndexedPassage): Source {
  const { date, status } = fields;
  return {
    ...{ rowKey: publicKeyOf(rowKey), title, tier, kind },
    ...(date === '' ? {} : { date }),
    ...(status === '' ? {} : { status }),
  };
}

/** The sources of quotes by the key of their passages, those of the best passages first. */
function sourcesOf(quotes: readonly Quote[]): Map<string, Source> {
  const sources = new Map<string, Source>();
  for (const { hit } of [...quotes].sort((left, right) => left.rank - right.rank)) {
    sources.set(hit.passage.rowKey, sourceOf(hit.passage));
  }
  return sources;
}

function byPlace(left: Quote, right: Quote): number {
  return left.hit.passage.ordinal - right.hit.passage.ordinal || left.start - right.start;
}
