import type { AnswerMarkup } from '../markup/answer-markup.ts';
import type { DocumentKind, IndexedPassage, Tier } from '../passages/passage.ts';
import { evidenceOf } from '../ranking/evidence.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import type { Findings } from '../views/view-index.ts';
import { withoutContradicted } from './contradictions.ts';
import { withFieldLines } from './field-lines.ts';
import { isOneBlock, quotedParts } from './quoted-parts.ts';
import { type Quote, quotesOf } from './quotes.ts';
import { quotedForTheirTime } from './time-mark.ts';

/** A passage with less evidence answers more questions that it is not about than others (docs/answering.md). */
const minEvidence = 0.44;
/** Longer answers held the wanted words hardly more often, and take longer to read. */
const maxSentences = 4;
/**
 * Quotes of other passages, and all after one that has all that its passage has of the question, must have more than
 * this part of what the best one has.
 */
const minPartOfBest = 0.5;
/** Passages that sentences are taken from; the right one is almost always among them. */
const quotedPassages = 5;
const nothingFound = "Nothing in this team's memory answers this question.";

/** An item that an answer rests on. */
export interface Source {
  /** Of a decision `decisions/<decision_id>`, of a project `projects/<slug>`, of a task that of what it stands in. */
  rowKey: string;
  title: string;
  tier: Tier;
  /** 'item' where it is left out. */
  kind?: DocumentKind | 'task';
  /** YYYY-MM-DD; left out where none is known. */
  date?: string;
  status?: string;
}

/** Text in parts, to be read one after the other, and what it cites: `[1]` is the first source. */
export interface Answer {
  parts: readonly string[];
  /** Most important first, each once; empty where nothing relevant was found. */
  sources: readonly Source[];
}

/**
 * Answers with the best quotes of the best passages, four at most, verbatim, in
 * reading order, each followed by its citation; fewer where one says it all.
 * Sources are numbered by their best passage. Bracketed numbers in a quote
 * become `(12)`, so that every `[n]` is a citation; other markup is made inert,
 * unless it is wanted. Where too little speaks for
 * any passage the answer says that nothing was found.
 */
export function extractiveAnswer(findings: Findings, markup: AnswerMarkup = 'inert'): Answer {
  const relevant = withFieldLines(quotedForTheirTime(relevantPassages(findings)), findings);
  const quotes = bestQuotes(relevant.hits.flatMap((hit, rank) => quotesOf(hit, rank, relevant.findings)));
  const sources = sourcesOf(quotes);
  if (sources.length === 0) return { parts: [nothingFound], sources };
  const numberOf = new Map(sources.map(({ rowKey }, index) => [rowKey, index + 1]));
  const inOrder = quotes
    .map((quote) => ({ ...quote, number: numberOf.get(quote.hit.passage.rowKey) ?? 0 }))
    .sort((left, right) => left.number - right.number || byPlace(left, right));
  return { parts: quotedParts(inOrder, markup), sources };
}

/** The passages that an answer is made from, best first: none where too little speaks for any. */
export function relevantPassages(findings: Findings): ScoredPassage[] {
  return findings.passages
    .slice(0, quotedPassages)
    .filter((hit) => evidenceOf(hit, findings.wanted) >= minEvidence);
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
  return { rowKey, title, tier, kind, ...(date && { date }), ...(status && { status }) };
}

function sourcesOf(quotes: readonly Quote[]): Source[] {
  const sources = new Map<string, Source>();
  for (const { hit } of [...quotes].sort((left, right) => left.rank - right.rank)) {
    sources.set(hit.passage.rowKey, sourceOf(hit.passage));
  }
  return [...sources.values()];
}

function byPlace(left: Quote, right: Quote): number {
  return left.hit.passage.ordinal - right.hit.passage.ordinal || left.start - right.start;
}
