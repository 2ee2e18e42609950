import { withoutReferences } from '../citations/citation-reference.ts';
import { type AnswerMarkup, plainTitle } from '../markup/answer-markup.ts';
import { createMarkupFilter } from '../markup/inert-filter.ts';
import { isOutdatedStatus } from '../passages/outdated.ts';
import { dayOfPassage } from '../ranking/currency.ts';
import type { ScoredPassage } from '../ranking/scored-passage.ts';
import type { Span } from '../text/sentences.ts';
import type { Candidate } from './candidates.ts';
import { partsShown } from './marks.ts';
import type { Section } from './sections.ts';
import type { Series } from './units.ts';

const plainWords = /^[\p{L}\p{M}\p{N} ,.-]+$/u;

/** Returns the passages that may be quoted together: outdated ones are left out if one that replaced them was found. */
export function quotedForTheirTime(hits: readonly ScoredPassage[]): ScoredPassage[] {
  const slots = new Set(hits.map(({ slot }) => slot));
  return hits.filter(({ newer, passage }) => {
    return !(passage.fields.isOutdated && newer !== undefined && slots.has(newer));
  });
}

/**
 * Returns a note before the quotes of a passage, so that readers do not take them for current: that it is outdated, or
 * its day if something newer is quoted. '' if no note is needed.
 */
export function timeMark({ passage, newer }: ScoredPassage, quoted: ReadonlySet<number>): string {
  const day = dayOfPassage(passage);
  const { isOutdated, status, isDatedByChange } = passage.fields;
  if (!isOutdated) return newer !== undefined && quoted.has(newer) && day !== '' ? `As of ${day}:` : '';
  // Of what its author wrote, only words that are none but that, so that no markup and no citation comes in here.
  const why = isOutdatedStatus(status) && plainWords.test(status) ? status : 'outdated';
  return isDatedByChange || day === '' ? `Not current (${why}):` : `Not current (${why}, ${day}):`;
}

/** The quotes from one section, with the number of its source. */
export interface QuotedSection {
  section: Section;
  number: number;
  title: string;
  /** What it is understood by, in a line before it, without marks; '' for none. */
  heading: string;
  /** Note on its time, shown before it; '' for none. */
  timeMark: string;
  /** In the order of the text; at least one. */
  units: readonly Candidate[];
}

/** Something that is shown: a unit, or what units stand under. */
interface Piece extends Span {
  unit: Candidate | undefined;
}

const endsWithFence = /(?:^|\n)[ \t>]*(?:`{3,}|~{3,})[ \t]*$/;
const openingFence = /^[ \t]*(?:[-*+]|\d{1,9}[.)])?[ \t]*(`{3,}|~{3,})/;

/**
 * The text of an answer in parts, each verbatim and followed by its citation.
 * What stands together in the text is one part: sentences of one paragraph go
 * on in a line, items of one list, rows of one table and lines of one block of
 * code stay together, all else begins anew. What units stand under is shown
 * once, before the first of them. A citation is neither a cell nor code. Where
 * more than one part of a series is shown, and not all, a line says how many
 * there are. Markup in a quote never reaches behind it.
 */
export function shownParts(sections: readonly QuotedSection[], markup: AnswerMarkup): string[] {
  const parts: string[] = [];
  const shownHeadings = new Set<string>();
  let filter = createMarkupFilter(markup);
  for (const quoted of sections) {
    const introduction = introductionOf(quoted, shownHeadings);
    const runs = runsOf(quoted);
    for (const [index, run] of runs.entries()) {
      const before = runs[index - 1];
      const begins = before ? separatorOf(before, run) : (parts.length > 0 ? '\n\n' : '') + introduction;
      const words = begins + textOf(quoted.section.text, run);
      const citation = citationOf(quoted, run);
      const inert = filter.push(withoutReferences(words) + citation.fence) + filter.end();
      filter = createMarkupFilter(markup, 'within line');
      // Words behind a closing fence would take its meaning away.
      parts.push(inert + (endsWithFence.test(inert) ? citation.text.replace(/^\s*/, '\n\n') : citation.text));
    }
  }
  return parts;
}

/** Lines before what is quoted of a section: when it holds, and by which heading it is understood, once for each source. */
function introductionOf({ heading, timeMark, number, units }: QuotedSection, shown: Set<string>): string {
  const plain = plainTitle(heading).replace(/[*`]/g, '').trim();
  const lines = [timeMark, plain === '' ? '' : `**${plain}**`].filter((line) => {
    const key = `${number} ${line}`;
    const isNew = line !== '' && !shown.has(key);
    shown.add(key);
    return isNew;
  });
  const isInLine = units[0]?.layout === 'sentence' && lines.at(-1) === timeMark;
  return lines.length === 0 ? '' : `${lines.join('\n\n')}${isInLine ? ' ' : '\n\n'}`;
}

/**
 * What is shown of a section, cut where something is left out between two pieces that do not belong to one series, and
 * behind a series of which something is left out.
 */
function runsOf(quoted: QuotedSection): Piece[][] {
  const { section, units } = quoted;
  const allSeries = new Set(units.map(({ series }) => series));
  const incomplete = new Set([...allSeries].filter((series) => leftOf(quoted, series) !== undefined));
  const runs: Piece[][] = [];
  for (const piece of piecesOf(units)) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && goesOn(last, piece)) run.push(piece);
    else runs.push([piece]);
  }
  return runs;

  function goesOn(last: Piece, next: Piece): boolean {
    if (belongTogether(last, next)) return true;
    return (
      !(last.unit && incomplete.has(last.unit.series)) &&
      section.text.slice(last.end, next.start).trim() === ''
    );
  }
}

function piecesOf(units: readonly Candidate[]): Piece[] {
  const pieces = new Map<number, Piece>();
  for (const unit of units) {
    for (const { start, end } of unit.under)
      if (!pieces.has(start)) pieces.set(start, { start, end, unit: undefined });
    const known = pieces.get(unit.start);
    if (known === undefined || known.end <= unit.end)
      pieces.set(unit.start, { start: unit.start, end: unit.end, unit });
  }
  return [...pieces.values()].sort((left, right) => left.start - right.start);
}

/** Whether a piece goes with the one before it although something is left out: below what it stands under, or in one list. */
function belongTogether(last: Piece, { unit, start, end }: Piece): boolean {
  if (last.unit === undefined || unit === undefined) return last.unit === undefined;
  const isUnder = unit.under.some((span) => span.start === last.start);
  const isSeries =
    unit.series === last.unit.series && unit.series.kind !== 'prose' && unit.series.kind !== 'quote';
  return isUnder || isSeries || (start < last.end && end <= last.end);
}

/** How a run is parted from the one before it in its section: sentences of one paragraph go on in a line. */
function separatorOf(before: readonly Piece[], [first]: readonly Piece[]): string {
  const [last, next] = [before.at(-1)?.unit, first?.unit];
  return next?.layout === 'sentence' && last?.series === next.series ? ' ' : '\n\n';
}

/** The pieces as they stand apart in the text; each on a line of its own where something is left out. */
function textOf(text: string, run: readonly Piece[]): string {
  return run
    .map(({ start, end, unit }, index) => {
      const last = run[index - 1];
      if (last === undefined) return text.slice(start, end);
      const gap = text.slice(last.end, start);
      const lineEnds = gap.slice(0, gap.lastIndexOf('\n') + 1);
      if (gap.trim() === '') return (lineEnds || gap) + text.slice(start, end);
      const isLabel =
        last.unit === undefined && unit?.layout === 'sentence' && last.start >= unit.series.start;
      if (isLabel) return ` ${text.slice(start, end)}`;
      const isParagraph = last.unit === undefined && unit?.layout === 'item' && !isItem(text, last);
      return (isParagraph ? '\n\n' : '\n') + text.slice(start, end);
    })
    .join('');
}

function isItem(text: string, { start, end }: Span): boolean {
  return /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(text.slice(start, end));
}

/** The citation of a run, with what is not shown of its last series, and before it the end of code that the run leaves open. */
function citationOf(quoted: QuotedSection, run: readonly Piece[]): { fence: string; text: string } {
  const { section, number, title } = quoted;
  const unit = run.at(-1)?.unit;
  const fence = unit ? fenceLeftOpen(section.text, unit) : '';
  const left = unit && leftOf(quoted, unit.series);
  if (left !== undefined)
    return { fence, text: `\n\n… and ${left}more in ${plainTitle(withoutReferences(title))} [${number}]` };
  const isInLine = unit === undefined || unit.layout === 'sentence' || unit.layout === 'item';
  return { fence, text: isInLine ? ` [${number}]` : `\n\n[${number}]` };
}

/**
 * How many parts of a series are not shown, and a blank, without the number where it is not known; undefined where all
 * are shown, or only one of a list or table is, for that was asked for alone.
 */
function leftOf({ section: { isCut, text }, units }: QuotedSection, series: Series): string | undefined {
  const shown = partsShown(units, series);
  if (shown === undefined || shown >= series.parts.length) return undefined;
  if (series.kind === 'code') return '';
  const isCounted = !isCut || (series.start > 0 && series.end < text.length);
  return shown < 2 ? undefined : isCounted ? `${series.parts.length - shown} ` : '';
}

function fenceLeftOpen(text: string, { layout, under, start, end }: Candidate): string {
  if (layout === 'sentence' || layout === 'item') return '';
  const fenced = layout === 'code' ? under.at(-1) : { start, end };
  const opening = fenced && openingFence.exec(text.slice(fenced.start, fenced.end));
  if (!fenced || !opening) return '';
  const fence = opening[1] ?? '';
  const isClosed = text
    .slice(fenced.start + opening[0].length, end)
    .trimEnd()
    .endsWith(fence);
  return isClosed ? '' : `\n${/^[ \t]*/.exec(opening[0])?.[0] ?? ''}${fence}`;
}
