import type { IndexedPassage } from '../passages/passage.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import type { Span } from '../text/sentences.ts';
import type { Findings } from '../views/view-index.ts';
import { answerKindOf } from './answer-kind.ts';

/** A passage that was found, within the text of its section. */
export interface FoundSpan extends Span {
  hit: ScoredPassage;
}

/**
 * The text of a passage, with its neighbours where a list, a table or code goes on in them, and the headings that follow
 * where it announces these.
 */
export interface Section {
  text: string;
  /** The passages of it that were found, the best first; at least one. */
  found: FoundSpan[];
  /** The ordinal of its first passage. */
  from: number;
  /** Where each of its passages begins. */
  starts: readonly number[];
  /** Whether there may be more of its first or last series than it has. */
  isCut: boolean;
}

/** Passages looked at before and behind one: a list of some 5,000 characters is seen whole. */
const maxNeighbours = 4;
/** Passages behind one whose headings it may announce. */
const maxPassagesBelow = 40;
/** Characters of a line in which marks are looked for. */
const maxMarksLength = 64;
const fenceLine = /^[ \t]*(?:```|~~~)/gm;
const partLine = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]*\||[ \t]{2,}\S)/;
const anyPartLine = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]|\|)/m;
const endsWithColon = /[:：][*_]*\s*$/;

/** The sections of passages that were found, in their order; what stands in one of them already has none of its own. */
export function sectionsOf(hits: readonly ScoredPassage[], findings: Findings): Section[] {
  const sections: Section[] = [];
  for (const hit of hits) {
    const { rowKey, ordinal, text } = hit.passage;
    const isIn = ({ found: [first], from, starts }: Section) =>
      first?.hit.passage.rowKey === rowKey && from <= ordinal && ordinal < from + starts.length;
    const known = sections.find(isIn);
    const section = known ?? sectionAround(hit, findings);
    const place = ordinal - section.from;
    const start = section.starts[place] ?? 0;
    const isLast = place === section.starts.length - 1;
    section.found.push({ hit, start, end: isLast ? section.text.length : start + text.length });
    if (!known) sections.push(section);
  }
  return sections;
}

function sectionAround(hit: ScoredPassage, { question, passageBeside }: Findings): Section {
  const { ordinal } = hit.passage;
  const passages: IndexedPassage[] = [hit.passage];
  let isCut = false;
  for (const step of [-1, 1]) {
    for (let distance = 1; ; distance += 1) {
      const beside = passageBeside(hit, ordinal + step * distance);
      if (!beside || !(step < 0 ? goesOn([beside], passages[0]) : goesOn(passages, beside))) break;
      isCut ||= distance > maxNeighbours;
      if (distance > maxNeighbours) break;
      if (step < 0) passages.unshift(beside);
      else passages.push(beside);
    }
  }
  const starts: number[] = [];
  let length = 0;
  for (const { text } of passages) {
    starts.push(length);
    length += text.length + 1;
  }
  const from = passages[0]?.ordinal ?? ordinal;
  const text = passages.map((passage) => passage.text).join('\n');
  const kind = answerKindOf(question);
  const mayBeAsked = kind === 'list' || kind === 'steps' || kind === 'other';
  const announced = mayBeAsked ? headingsBelow(hit, passages.at(-1) ?? hit.passage, passageBeside) : '';
  return { text: text + announced, found: [], from, starts, isCut };
}

/** What the last words of a passage announce where only headings below its own follow: these as a list. */
function headingsBelow(
  hit: ScoredPassage,
  { text, headings, ordinal }: IndexedPassage,
  passageBeside: Findings['passageBeside'],
): string {
  if (!endsWithColon.test(text)) return '';
  const below = new Set<string>();
  for (let distance = 1; distance <= maxPassagesBelow; distance += 1) {
    const beside = passageBeside(hit, ordinal + distance);
    const heading = beside?.headings[headings.length];
    if (heading === undefined || headings.some((above, depth) => beside?.headings[depth] !== above)) break;
    below.add(heading);
  }
  return below.size < 2 ? '' : `\n\n${[...below].map((heading) => `- ${heading}`).join('\n')}`;
}

/** Whether a list, a table or code goes on from passages into the next. */
function goesOn(passages: readonly IndexedPassage[], after: IndexedPassage | undefined): boolean {
  const before = passages.at(-1);
  if (!before || !after || before.headings.length !== after.headings.length) return false;
  if (before.headings.some((heading, index) => heading !== after.headings[index])) return false;
  const fences = passages.reduce((sum, { text }) => sum + (text.match(fenceLine)?.length ?? 0), 0);
  if (fences % 2 === 1) return true;
  if (endsWithColon.test(before.text)) return true;
  return partLine.test(after.text.slice(0, maxMarksLength)) && anyPartLine.test(before.text);
}
