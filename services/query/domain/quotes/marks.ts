import type { Span } from '../text/sentences.ts';
import { type AnswerKind, hasFormOf } from './answer-kind.ts';
import type { Candidate } from './candidates.ts';
import type { Series } from './units.ts';

/** A section of this length is shown whole; where one fact is asked for, or another place is likelier, a shorter one. */
const maxSectionLength = 500;
const maxBriefLength = 300;
/** A list, a table, steps or code of this length are shown whole. */
const maxSeriesLength = 900;
/** A part of a series stands out where at most a third of its parts are half as likely. */
const rivalry = 0.5;
const maxPartOfRivals = 1 / 3;
/** Sentences that are fetched before one that refers back to them. */
const maxReferences = 2;
/** How sentences begin that speak of what the one before has named, in English and German. */
const backReference =
  /^["“(*_]*(?:it|its|this|that|these|those|they|their|them|he|she|his|her|such|but|however|then|so|instead|otherwise|er|sie|es|dies(?:e[rs]?)?|das|ihre?|sein)(?![\p{L}'’])/iu;
const backReferenceWindow = 20;

/** The input of a mark. */
export interface Markable {
  /** All candidates, by section and place. */
  all: readonly Candidate[];
  kind: AnswerKind;
}

/**
 * Returns what a person would highlight together with a unit: its whole section if that is short; the whole list,
 * table, code or steps if these are wanted or none of their parts stands out; else the unit and what it refers to.
 */
export function markAround(candidate: Candidate, { all, kind }: Markable, isLikely: boolean): Candidate[] {
  const { section, series, isInFocus } = candidate;
  const ofSection = all.filter((other) => other.section === section);
  const ofSeries = ofSection.filter((other) => isWithin(other, series));
  const isFact = kind === 'person' || kind === 'time' || kind === 'amount';
  const isOne = isList(series) && !wantsAll(kind) && standsOut(candidate, ofSeries);
  const maxWhole =
    isFact || isOne || !isLikely ? maxBriefLength : isInFocus ? maxSeriesLength : maxSectionLength;
  if (lengthOf(ofSection) <= maxWhole) return ofSection;
  if (isProse(series))
    return [...withReferences(candidate, ofSeries), ...reasonBehind(candidate, ofSeries, kind)];
  // Of things that are asked for all at once, one alone is no answer.
  if (isOne || !(isLikely || (wantsAll(kind) && isList(series)))) return [candidate];
  if (lengthOf(ofSeries) <= maxSeriesLength) return ofSeries;
  return wantsAll(kind) && isList(series) ? beginningOf(candidate, ofSeries) : [candidate];
}

/**
 * Whether shown parts of its series make a unit superfluous: one has all that it has of the question, and more, or as
 * much, where it does not stand out, and one part is asked for. Of code that is too long to be shown whole one piece is
 * enough.
 */
export function isLesserPart(
  candidate: Candidate,
  chosen: Iterable<Candidate>,
  { all, kind }: Markable,
): boolean {
  const { series, asked } = candidate;
  if (isProse(series)) return false;
  const shown = [...chosen].filter((other) => other.series === series);
  if (series.kind === 'code') return shown.length > 0;
  if (wantsAll(kind)) return false;
  const rivals = shown.filter((other) => [...asked].every((term) => other.asked.has(term)));
  if (rivals.some((other) => other.asked.size > asked.size)) return true;
  return rivals.length > 0 && !standsOut(candidate, partsOf(candidate, all));
}

/** With the rest of series of which half is shown, and of steps of which two are: nobody can do with most of the steps. */
export function completed(chosen: readonly Candidate[], all: readonly Candidate[]): Candidate[] {
  const complete = new Set(chosen);
  const ofSeries = Map.groupBy(
    chosen.filter(({ series }) => !isProse(series)),
    ({ series }) => series,
  );
  for (const [series, [first, ...others]] of ofSeries) {
    const parts = new Set(others.map(({ part }) => part).concat(first?.part ?? 0)).size;
    const isMost = parts > 1 && (series.kind === 'steps' || 2 * parts >= series.parts.length);
    const whole = first && isMost ? partsOf(first, all) : [];
    if (lengthOf(whole) <= maxSeriesLength) for (const unit of whole) complete.add(unit);
  }
  return [...complete];
}

/**
 * How many parts of a series units of its section stand in, both in the order of the text; undefined for prose, of which
 * nobody misses the rest.
 */
export function partsShown(units: readonly Candidate[], series: Series): number | undefined {
  if (isProse(series)) return undefined;
  let shown = 0;
  let place = 0;
  for (const part of series.parts) {
    while (place < units.length && (units[place] as Candidate).start < part.start) place += 1;
    const unit = units[place];
    if (unit && unit.end <= part.end) shown += 1;
  }
  return shown;
}

/** UTF-16 units of text. */
export function lengthOf(units: Iterable<Candidate>): number {
  let length = 0;
  for (const { start, end } of units) length += end - start;
  return length;
}

/** Whether few parts of a series have as much of the question as this one, so that it is asked for alone. */
function standsOut(candidate: Candidate, ofSeries: readonly Candidate[]): boolean {
  const rivals = ofSeries.filter(({ likelihood }) => likelihood > rivalry * candidate.likelihood);
  const parts = new Set(
    rivals.map(({ part, series }) => (series === candidate.series ? part : candidate.part)),
  );
  return parts.size <= maxPartOfRivals * candidate.series.parts.length;
}

/** With the sentences before one that begins with a word for what they name. */
function withReferences(candidate: Candidate, ofSeries: readonly Candidate[]): Candidate[] {
  const found = [candidate];
  for (let place = ofSeries.indexOf(candidate); place > 0 && found.length <= maxReferences; place -= 1) {
    const { section, start } = ofSeries[place] as Candidate;
    if (!backReference.test(section.text.slice(start, start + backReferenceWindow))) break;
    found.push(ofSeries[place - 1] as Candidate);
  }
  return found;
}

/** Returns the sentence after one that "why" asks about and that gives no reason: the reason is usually there. */
function reasonBehind(candidate: Candidate, ofSeries: readonly Candidate[], kind: AnswerKind): Candidate[] {
  const { section, start, end } = candidate;
  if (kind !== 'reason' || hasFormOf(kind, section.text.slice(start, end))) return [];
  const place = ofSeries.indexOf(candidate);
  return ofSeries.slice(place + 1, place + 2);
}

/** As much of a series as may be shown, from its beginning, or where the unit stands too far behind, from there on. */
function beginningOf(candidate: Candidate, ofSeries: readonly Candidate[]): Candidate[] {
  for (const from of [0, ofSeries.indexOf(candidate)]) {
    const shown: Candidate[] = [];
    let length = 0;
    for (const unit of ofSeries.slice(from)) {
      length += unit.end - unit.start;
      if (length > maxSeriesLength && shown.length > 0) break;
      shown.push(unit);
    }
    if (shown.includes(candidate)) return shown;
  }
  return [candidate];
}

/** Returns the parts of the series of a unit, in order. */
function partsOf({ series, section }: Candidate, all: readonly Candidate[]): Candidate[] {
  return all.filter((unit) => unit.section === section && isWithin(unit, series));
}

function wantsAll(kind: AnswerKind): boolean {
  return kind === 'list' || kind === 'steps';
}

function isProse({ kind }: Series): boolean {
  return kind === 'prose' || kind === 'quote';
}

function isList(series: Series): boolean {
  return !isProse(series) && series.kind !== 'code';
}

function isWithin(unit: Candidate, { start, end }: Span): boolean {
  return unit.start >= start && unit.end <= end;
}
