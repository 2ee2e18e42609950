import type { Answer, Source } from '../citations/answer.ts';
import type { AnswerMarkup } from '../markup/answer-markup.ts';
import { publicKeyOf } from '../passages/document-key.ts';
import type { IndexedPassage } from '../passages/passage.ts';
import { relevanceOf } from '../ranking/relevance.ts';
import type { Findings } from '../views/view-index.ts';
import { type Candidate, candidatesIn } from './candidates.ts';
import { chooseUnits } from './choosing.ts';
import { withFieldLines } from './field-lines.ts';
import { headingFor } from './headings.ts';
import { missingParts } from './missing-parts.ts';
import { sectionsOf } from './sections.ts';
import { type QuotedSection, shownParts } from './showing.ts';
import { quotedForTheirTime, timeMark } from './time-mark.ts';

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
