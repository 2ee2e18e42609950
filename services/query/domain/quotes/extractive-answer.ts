import type { Answer, Source } from '../citations/answer.ts';
import { withoutReferences } from '../citations/citation-reference.ts';
import type { AnswerMarkup } from '../markup/answer-markup.ts';
import { createMarkupFilter } from '../markup/inert-filter.ts';
import { type IndexedPassage, publicKeyOf } from '../passages/passage.ts';
import type { MissingWord } from '../ranking/missing-words.ts';
import { relevanceOf } from '../ranking/relevance.ts';
import type { Findings } from '../views/view-index.ts';
import { type Candidate, candidatesIn } from './candidates.ts';
import { chooseUnits } from './choosing.ts';
import { withFieldLines } from './field-lines.ts';
import { headingFor } from './headings.ts';
import { sectionsOf } from './sections.ts';
import { type QuotedSection, quotedForTheirTime, shownParts, timeMark } from './showing.ts';

/** Longer words of a question are shortened where they are repeated. */
const maxWordLength = 40;

/**
 * Returns a paragraph that names the words of the question that no note mentions, or not together with the rest;
 * nothing for no words.
 */
function missingParts(missing: readonly MissingWord[], markup: AnswerMarkup): string[] {
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

const nothingFound = "Nothing in this team's memory answers this question.";

/**
 * Returns what a person would mark with a pen in the best passages, verbatim,
 * in reading order, each followed by its citation, in steps of a passage each.
 * Sources are numbered by what most probably has the answer. Bracketed numbers
 * in a quote become `(12)`, so that every `[n]` is a citation; other markup is
 * made inert, unless it is wanted. What the question names and no passage
 * mentions is said first. Where too little speaks for any passage the answer
 * says that nothing was found.
 */
export function* quoting(
  findings: Findings,
  markup: AnswerMarkup = 'inert',
  { passages, missing } = relevanceOf(findings),
): Generator<void, Answer> {
  const { hits, findings: asked } = withFieldLines(quotedForTheirTime(passages), findings);
  const candidates: Candidate[] = [];
  for (const section of sectionsOf(hits, asked)) {
    for (const candidate of candidatesIn(section, asked)) candidates.push(candidate);
    yield;
  }
  const units = chooseUnits(candidates, findings.question);
  const sources = sourcesOf(units);
  if (sources.size === 0) return { parts: [nothingFound], sources: [] };
  const parts = shownParts(quotedSections(units, [...sources.keys()], findings), markup);
  return { parts: [...missingParts(missing, markup), ...parts], sources: [...sources.values()] };
}

/** The same at once. */
export function extractiveAnswer(findings: Findings, markup: AnswerMarkup = 'inert'): Answer {
  const steps = quoting(findings, markup);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** A passage's item, decision or project as a source. */
export function sourceOf({ rowKey, title, tier, kind, fields }: IndexedPassage): Source {
  const { date, status } = fields;
  return {
    ...{ rowKey: publicKeyOf(rowKey), title, tier, kind },
    ...(date === '' ? {} : { date }),
    ...(status === '' ? {} : { status }),
    ...(fields.isByGuest && { isByGuest: true }),
  };
}

/** The sources of units by the key of their passages, in the order of the units. */
function sourcesOf(units: readonly Candidate[]): Map<string, Source> {
  const sources = new Map<string, Source>();
  for (const { hit } of units) {
    if (!sources.has(hit.passage.rowKey)) sources.set(hit.passage.rowKey, sourceOf(hit.passage));
  }
  return sources;
}

/** By source, then in the order of the item. */
function quotedSections(
  units: readonly Candidate[],
  sourceKeys: readonly string[],
  findings: Findings,
): QuotedSection[] {
  const quoted = new Set(units.map(({ hit }) => hit.slot));
  return [...Map.groupBy(units, ({ section }) => section)]
    .map(([section, ofSection]) => {
      const inOrder = ofSection.sort((left, right) => left.start - right.start || right.end - left.end);
      const { hit } = inOrder[0] as Candidate;
      const { rowKey, title } = hit.passage;
      const number = sourceKeys.indexOf(rowKey) + 1;
      const heading = headingFor(inOrder, findings);
      return { section, number, title, heading, timeMark: timeMark(hit, quoted), units: inOrder };
    })
    .sort((left, right) => left.number - right.number || left.section.from - right.section.from);
}
