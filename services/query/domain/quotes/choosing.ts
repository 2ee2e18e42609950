import { namedDayOf } from '../ranking/currency.ts';
import { answerKindOf } from './answer-kind.ts';
import type { Candidate } from './candidates.ts';
import { completed, isLesserPart, lengthOf, markAround } from './marks.ts';
import type { Series } from './units.ts';

/** An answer has enough when what it shows holds this part of the likelihood of all that could be shown. */
const enough = 0.95;
/** A unit below this share of all likelihood is not worth a line. */
const leastWorth = 0.03;
/** A unit below this share of the likeliest one is shown without its surroundings. */
const leastToGrow = 0.5;
/** Places that are marked, each a sentence or a whole list: more of them held the answer hardly more often. */
const maxMarks = 5;
/** No mark but the first makes an answer longer than this. */
const maxLength = 900;

/**
 * What a person would mark with a pen for a question, of all that can be shown
 * by section and place, the likeliest to have the answer first. Marks are added
 * until they hold nearly all of the likelihood, so that an answer is short where
 * one place stands out, and longer where many are as good.
 */
export function chooseUnits(all: readonly Candidate[], question: string): Candidate[] {
  const markable = { all, kind: answerKindOf(question) };
  const ranked = withoutContradicted([...all].sort((left, right) => right.likelihood - left.likelihood));
  const best = ranked[0]?.likelihood ?? 0;
  const total = likelihoodOf(all);
  const chosen = new Set<Candidate>();
  let marks = 0;
  for (const candidate of ranked) {
    const isWorth = candidate.likelihood >= leastWorth * total && likelihoodOf(chosen) < enough * total;
    if (marks === maxMarks || (marks > 0 && !isWorth)) break;
    if (chosen.has(candidate)) continue;
    if ([...chosen].some((other) => addsNothing(candidate, other))) continue;
    if (isLesserPart(candidate, chosen, markable)) continue;
    const room = marks === 0 ? Number.POSITIVE_INFINITY : maxLength - lengthOf(chosen);
    const around = markAround(candidate, markable, candidate.likelihood >= leastToGrow * best);
    const mark = [around, [candidate]].find((units) => lengthOf(units) <= room);
    if (mark === undefined) continue;
    for (const unit of mark) chosen.add(unit);
    marks += 1;
  }
  return completed([...chosen], all);
}

/**
 * How likely one of these has the answer: of a list or table as its likeliest part, for its parts stand under the same
 * words, and many of them say no more than one.
 */
function likelihoodOf(units: Iterable<Candidate>): number {
  let sum = 0;
  const ofSeries = new Map<Series, number>();
  for (const { likelihood, series } of units) {
    const known = series.kind === 'prose' ? 0 : (ofSeries.get(series) ?? 0);
    sum += Math.max(0, likelihood - known);
    if (series.kind !== 'prose') ofSeries.set(series, Math.max(known, likelihood));
  }
  return sum;
}

/** Whether a unit has no word that another one has not: copies differ in how they are broken, parts of them in more. */
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

/** Quotes that are compared with each other, the best ones: more are seldom shown. */
const maxCompared = 12;
/** Two say the same where they share this part of all their words, numbers aside. */
const minSharedWords = 0.6;
const wordOrFigure = /[\p{L}\p{M}]+|\p{N}[\p{N}.,:]*/gu;

/**
 * The quotes without those that say with other figures what a newer one says:
 * of "held for 12 minutes" and "held for 15 minutes" the newer. One that has more
 * of what is asked stays, as where the figures of a year are asked for. Quotes of
 * passages that name no day are all kept. Takes quotes best first.
 */
function withoutContradicted(quotes: readonly Candidate[]): Candidate[] {
  const compared = quotes.slice(0, maxCompared).map((quote) => {
    const text = quote.section.text.slice(quote.start, quote.end);
    return { quote, day: namedDayOf(quote.hit.passage), ...wordsAndFigures(text) };
  });
  const isContradicted = (older: (typeof compared)[number]) =>
    older.day !== '' &&
    compared.some(
      (newer) =>
        newer.day > older.day &&
        newer.quote.asked.size >= older.quote.asked.size &&
        newer.figures !== older.figures &&
        sharedPart(newer.words, older.words) >= minSharedWords,
    );
  const gone = new Set(compared.filter(isContradicted).map(({ quote }) => quote));
  return quotes.filter((quote) => !gone.has(quote));
}

function wordsAndFigures(text: string): { words: ReadonlySet<string>; figures: string } {
  const all = text.toLowerCase().match(wordOrFigure) ?? [];
  const isFigure = (word: string) => /^\p{N}/u.test(word);
  return { words: new Set(all.filter((word) => !isFigure(word))), figures: all.filter(isFigure).join(' ') };
}

function sharedPart(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const all = left.union(right).size;
  return all === 0 ? 0 : left.intersection(right).size / all;
}
