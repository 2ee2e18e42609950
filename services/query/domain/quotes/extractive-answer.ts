import type { AnswerMarkup } from '../markup/answer-markup.ts';
import type { DocumentKind, Tier } from '../passages/passage.ts';
import { evidenceOf } from '../ranking/evidence.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import type { Findings } from '../views/view-index.ts';
import { type Candidate, candidatesIn } from './candidates.ts';
import { chooseUnits } from './choosing.ts';
import { headingFor } from './headings.ts';
import { sectionsOf } from './sections.ts';
import { type QuotedSection, shownParts } from './showing.ts';

/** A passage with less evidence answers more questions that it is not about than others (docs/answering.md). */
const minEvidence = 0.44;
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
 * Returns what a person would mark with a pen in the best passages, verbatim,
 * in reading order, each followed by its citation, in steps of a passage each.
 * Sources are numbered by what most probably has the answer. Bracketed numbers
 * in a quote become `(12)`, so that every `[n]` is a citation; other markup is
 * made inert, unless it is wanted. Where too little speaks for any passage the
 * answer says that nothing was found.
 */
export function* quoting(findings: Findings, markup: AnswerMarkup = 'inert'): Generator<void, Answer> {
  const candidates: Candidate[] = [];
  for (const section of sectionsOf(relevantPassages(findings), findings)) {
    for (const candidate of candidatesIn(section, findings)) candidates.push(candidate);
    yield;
  }
  const units = chooseUnits(candidates, findings.question);
  const sources = sourcesOf(units);
  if (sources.length === 0) return { parts: [nothingFound], sources };
  return { parts: shownParts(quotedSections(units, sources, findings), markup), sources };
}

/** The same at once. */
export function extractiveAnswer(findings: Findings, markup: AnswerMarkup = 'inert'): Answer {
  const steps = quoting(findings, markup);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The passages that an answer is made from, best first: none where too little speaks for any. */
export function relevantPassages(findings: Findings): ScoredPassage[] {
  return findings.passages
    .slice(0, quotedPassages)
    .filter((hit) => evidenceOf(hit, findings.wanted) >= minEvidence);
}

function sourcesOf(units: readonly Candidate[]): Source[] {
  const sources = new Map<string, Source>();
  for (const { hit } of units) {
    const { rowKey, title, tier } = hit.passage;
    if (!sources.has(rowKey)) sources.set(rowKey, { rowKey, title, tier });
  }
  return [...sources.values()];
}

/** By source, then in the order of the item. */
function quotedSections(
  units: readonly Candidate[],
  sources: readonly Source[],
  findings: Findings,
): QuotedSection[] {
  return [...Map.groupBy(units, ({ section }) => section)]
    .map(([section, ofSection]) => {
      const { rowKey, title } = ofSection[0]?.hit.passage ?? { rowKey: '', title: '' };
      const number = sources.findIndex((source) => source.rowKey === rowKey) + 1;
      const inOrder = ofSection.sort((left, right) => left.start - right.start || right.end - left.end);
      return { section, number, title, heading: headingFor(inOrder, findings), units: inOrder };
    })
    .sort((left, right) => left.number - right.number || left.section.from - right.section.from);
}
