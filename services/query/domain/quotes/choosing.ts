import type { ScoredPassage } from '../ranking/scored-passage.ts';
import type { Findings } from '../views/view-index.ts';
import { type AnswerKind, answerKindOf, hasFormOf } from './answer-kind.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import type { Section } from './sections.ts';
import type { Series } from './units.ts';

/** An answer has enough when what it shows holds this part of the likelihood of all that could be shown. */
const enough = 0.94;
/** What is less likely than this part of all is not worth a line. */
const leastWorth = 0.02;
/** What is less likely than this part of the likeliest is shown without what stands around it. */
const leastToGrow = 0.3;
/** A part of a series stands out where at most a third of its parts are half as likely. */
const rivalry = 0.5;
const maxPartOfRivals = 1 / 3;
/** Places of an answer: a mark of the pen each, long or short. */
const maxMarks = 6;
const maxMarksOfSection = 5;
/** No mark is added to an answer of this length. */
const maxLength = 900;
/** A section of this length is shown whole; where one fact is asked for, or another one is likelier, a shorter one. */
const maxSectionLength = 500;
const maxBriefLength = 300;
/** A list, a table, steps or code of this length are shown whole, where they are wanted whole. */
const maxSeriesLength = 900;
/** Sentences that are fetched before one that refers back to them. */
const maxReferences = 2;
/** How sentences begin that speak of what the one before has named, by language. */
const backReference =
  /^["“(*_]*(?:it|its|this|that|these|those|they|their|them|he|she|his|her|such|but|however|then|so|instead|otherwise|er|sie|es|dies(?:e[rs]?)?|das|ihre?|sein)(?![\p{L}'’])/iu;
const backReferenceWindow = 20;

/** What a person would mark with a pen, the likeliest to hold the answer first; none where there are no passages. */
export function chooseUnits(hits: readonly ScoredPassage[], findings: Findings): Candidate[] {
  const all = candidatesOf(hits, findings);
  const kind = answerKindOf(findings.question);
  const total = likelihoodOf(all);
  const chosen = new Set<Candidate>();
  const marksOf = new Map<Section, number>();
  let marks = 0;
  let likely: number | undefined;
  for (const candidate of [...all].sort((left, right) => right.likelihood - left.likelihood)) {
    const isWorth = candidate.likelihood >= leastWorth * total && likelihoodOf(chosen) < enough * total;
    if (marks === maxMarks || (marks > 0 && !isWorth)) break;
    const marksHere = marksOf.get(candidate.section) ?? 0;
    if (chosen.has(candidate) || marksHere === maxMarksOfSection) continue;
    if (
      [...chosen].some(
        (other) => addsNothing(candidate, other) || isLesserPart(candidate, other, { all, kind }),
      )
    )
      continue;
    const room = marks === 0 ? Number.POSITIVE_INFINITY : maxLength - lengthOf(chosen);
    const best = likely ?? candidate.likelihood;
    const isLikely = candidate.likelihood >= leastToGrow * best;
    const around = markAround(candidate, all, kind, isLikely);
    const mark = [around, [candidate]].find((units) => lengthOf(units) <= room);
    if (mark === undefined) continue;
    for (const unit of mark) chosen.add(unit);
    likely ??= candidate.likelihood;
    marks += 1;
    marksOf.set(candidate.section, marksHere + 1);
  }
  return completed([...chosen], all);
}

/** What is marked together with a unit: its whole section or series where it is short or wanted, or what it refers to. */
function markAround(
  candidate: Candidate,
  all: readonly Candidate[],
  kind: AnswerKind,
  isLikely: boolean,
): Candidate[] {
  const { section, series } = candidate;
  const isFact = kind === 'person' || kind === 'time' || kind === 'amount';
  const isBrief = isFact || !isLikely;
  const ofSection = all.filter((other) => other.section === section);
  const ofSeries = ofSection.filter((other) => isWithin(other, series));
  const isProse = series.kind === 'prose' || series.kind === 'quote';
  const wantsAll = kind === 'list' || kind === 'steps';
  const isOne = !isProse && series.kind !== 'code' && !wantsAll && standsOut(candidate, ofSeries);
  if (lengthOf(ofSection) <= (isBrief || isOne ? maxBriefLength : maxSectionLength)) return ofSection;
  if (isProse) return [...withReferences(candidate, ofSeries), ...reasonBehind(candidate, ofSeries, kind)];
  if (!isLikely || isOne) return [candidate];
  const isShort = lengthOf(ofSeries) <= maxSeriesLength;
  if (wantsAll && series.kind !== 'code') return isShort ? ofSeries : beginningOf(candidate, ofSeries);
  return isShort ? ofSeries : [candidate];
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

/** What follows a sentence that "why" asks about and that has no reason in it: there it is mostly given. */
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

/** With the rest of series of which half is shown, and of steps of which two are: nobody can do with most of the steps. */
function completed(chosen: readonly Candidate[], all: readonly Candidate[]): Candidate[] {
  const complete = new Set(chosen);
  for (const series of new Set(chosen.map((unit) => unit.series))) {
    if (series.kind === 'prose' || series.kind === 'quote') continue;
    const parts = partsShown(chosen, series);
    const isMost = series.kind === 'steps' ? parts > 1 : parts > 1 && 2 * parts >= series.parts.length;
    const section = chosen.find((unit) => unit.series === series)?.section;
    const ofSeries = all.filter((unit) => unit.section === section && isWithin(unit, series));
    if (isMost && lengthOf(ofSeries) <= maxSeriesLength) for (const unit of ofSeries) complete.add(unit);
  }
  return [...complete];
}

/** How many parts of a series units stand in. */
export function partsShown(units: readonly Candidate[], series: Series): number {
  return new Set(units.filter((unit) => unit.series === series).map(({ part }) => part)).size;
}

function isWithin(unit: Candidate, { start, end }: { start: number; end: number }): boolean {
  return unit.start >= start && unit.end <= end;
}

function lengthOf(units: Iterable<Candidate>): number {
  let length = 0;
  for (const { start, end } of units) length += end - start;
  return length;
}

function likelihoodOf(units: Iterable<Candidate>): number {
  let sum = 0;
  for (const { likelihood } of units) sum += likelihood;
  return sum;
}

/**
 * Whether a shown part of the same series has all that this one has of the question, and more, or as much as many others,
 * where one part is asked for. Of code that is too long to be shown whole one piece is enough.
 */
function isLesserPart(
  candidate: Candidate,
  other: Candidate,
  { all, kind }: { all: readonly Candidate[]; kind: AnswerKind },
): boolean {
  const { series, section, asked } = candidate;
  if (other.series !== series || series.kind === 'prose' || series.kind === 'quote') return false;
  if (series.kind === 'code') return true;
  if (kind === 'list' || kind === 'steps' || [...asked].some((term) => !other.asked.has(term))) return false;
  if (asked.size < other.asked.size) return true;
  const ofSeries = all.filter((unit) => unit.section === section && isWithin(unit, series));
  return !standsOut(candidate, ofSeries);
}

/** Whether a unit has no word that another one has not: copies differ in how they are broken, and parts of them in more. */
function addsNothing(unit: Candidate, other: Candidate): boolean {
  const known = wordsOf(other);
  for (const word of wordsOf(unit)) if (!known.has(word)) return false;
  return true;
}

const words = new WeakMap<Candidate, ReadonlySet<string>>();

function wordsOf(unit: Candidate): ReadonlySet<string> {
  const known = words.get(unit);
  if (known) return known;
  const text = unit.section.text.slice(unit.start, unit.end).toLowerCase();
  const found = new Set(text.match(/[\p{L}\p{M}\p{N}]+/gu));
  words.set(unit, found);
  return found;
}
