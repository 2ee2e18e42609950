import { addDays, type Days, datesIn } from '../dates/dates-in.ts';
import type { DatesWanted } from '../dates/dates-wanted.ts';
import { type IndexedPassage, namedDay } from '../passages/passage.ts';
import { questionTerms } from '../text/question-terms.ts';
import type { Span } from '../text/sentences.ts';
import { partedWords, type Question, type QuestionWord } from './question.ts';
import type { ScoredPassage } from './scored-passage.ts';
import { partMet, type WantedTerm, type WantedTerms } from './wanted-terms.ts';

const hasYear = /\d{4}/;
/** Titles are a line; front matter may hold a longer one. */
const maxTitleLength = 200;
/** Passages that may change places; what stands behind them is not quoted. */
export const maxComparedPassages = 20;
/**
 * How near two passages must be for the time of one to count: their scores, the lesser divided by the better; and what
 * the one to be preferred has of the question, as a part of what the other has.
 */
interface Nearness {
  score: number;
  coverage: number;
}
/** Of two of a series, which one has more of the question's words is an accident where they are as near as this. */
const newer: Nearness = { score: 0.75, coverage: 0.9 };
/** If the question asks for the latest, time counts more than words. */
const latest: Nearness = { score: 0.5, coverage: 0.75 };
/** A superseded passage is no answer as long as there is another. */
const holdsNow: Nearness = { score: 0.5, coverage: 0.75 };
/** A passage that is dated as asked lacks the words of that date, which the others may have. */
const datedAsAsked: Nearness = { score: 0.3, coverage: 0.75 };
/** Documents are of a series where their titles are as like as this, by the Dice coefficient of their telling words. */
const minSharedTitle = 0.5;

/** Words of a status for what does not hold yet. */
const draftStatus =
  /^(?:draft|proposed|proposal|planned|entwurf|vorschlag|geplant|brouillon|proposé|borrador|propuest[oa]|bozza|concept|rascunho)(?!\p{L})/iu;

/** A passage with what is compared. */
interface Compared {
  hit: ScoredPassage;
  /** Share of the question's weight that it has, without the words for times. */
  coverage: number;
  /** The day that it names, and else that of its last change. */
  named: string;
  changed: string;
  isOutdated: boolean;
  /** It is a draft, or of a day that is still to come by what it says of itself or its title. */
  isToCome: boolean;
  isDatedAsAsked: boolean;
  /** As of `wordsOfTitle`. */
  title: ReadonlySet<string>;
}

/**
 * The day that a passage names, YYYY-MM-DD: that of the innermost of its headings that names one, as those of a changelog
 * do, unless that is still to come for its document; else that of the document. '' where its day is only that of the last
 * change.
 */
function namedDayOf({ headings, fields }: Pick<IndexedPassage, 'headings' | 'fields'>): string {
  return dayInHeadings(headings, fields.date) || namedDay(fields);
}

/** '' where there is none; a text without the digits of a year, as most are, is not looked at closer. */
function firstDayIn(text: string): string {
  return hasYear.test(text) ? (datesIn(text)[0]?.from ?? '') : '';
}

function dayInHeadings(headings: readonly string[], latestDay: string): string {
  for (const heading of headings.toReversed()) {
    const day = firstDayIn(heading);
    if (day !== '' && (latestDay === '' || day <= latestDay)) return day;
  }
  return '';
}

/**
 * Of passages of a series that speak about the same, puts the newer first; what no
 * longer holds behind what does, unless the question asks for it; and those of the
 * time that the question asks for before all others. Where times decide nothing, as
 * among passages without dates, everything stays as it is. A passage never passes
 * one that is much more relevant. Scores go with the places, so that they fall.
 * Passages are best first; each that stands behind another for its time gets `newer`.
 * Words for times that passages meet by their dates, or by being outdated, are taken out of the question.
 */
export function inOrderOfTime(
  passages: readonly ScoredPassage[],
  wanted: WantedTerms,
  question: Question,
): { passages: ScoredPassage[]; wanted: WantedTerms; words: readonly QuestionWord[] } {
  const { words } = question;
  const compared = passages.slice(0, maxComparedPassages);
  if (!differInTime(compared)) return { passages: [...passages], wanted, words };
  const { dates, past, today } = question;
  const isForPast = past.length > 0;
  const { ofTimes, timeless } = partedByTime(wanted, question, dates.words);
  const facts = compared.map((hit) => comparedOf(hit, timeless, { dates, today }));
  const nearness = dates.latest ? latest : newer;
  const precedes = (left: Compared, right: Compared) => {
    if (left.isDatedAsAsked !== right.isDatedAsAsked)
      return left.isDatedAsAsked && areNear(left, right, datedAsAsked);
    if (left.isOutdated !== right.isOutdated)
      return !isForPast && !right.isDatedAsAsked && right.isOutdated && areNear(left, right, holdsNow);
    return isNewer(left, right) && areNear(left, right, nearness) && areOfASeries(left, right);
  };
  const ordered: Compared[] = [];
  for (const each of facts) {
    const place = ordered.findIndex((other) => precedes(each, other));
    ordered.splice(place < 0 ? ordered.length : place, 0, each);
  }
  const scores = compared.map(({ score }) => score).sort((left, right) => right - left);
  const inOrder = ordered.map((each, place): ScoredPassage => {
    const before = ordered.slice(0, place).find((other) => precedes(other, each));
    const hit = each.isDatedAsAsked ? withTerms(each.hit, ofTimes) : each.hit;
    return { ...hit, score: scores[place] ?? 0, ...(before && { newer: before.hit.slot }) };
  });
  const isForTime = dates.from !== undefined || dates.to !== undefined;
  const isMet = isForTime
    ? facts.some(({ isDatedAsAsked }) => isDatedAsAsked)
    : dates.latest && facts.some(({ named }) => named !== '');
  // "Latest" stands in no text that is the latest, and "previous" in none that was replaced.
  const isPastMet = facts.some(({ isOutdated }) => isOutdated);
  const left = isMet && !isForTime ? timeless : wanted;
  return {
    passages: [...inOrder, ...passages.slice(maxComparedPassages)],
    wanted: isPastMet ? partedByTime(left, question, past).timeless : left,
    words: partedWords(words, [...(isMet ? dates.words : []), ...(isPastMet ? past : [])]).outside,
  };
}

function differInTime(hits: readonly ScoredPassage[]): boolean {
  const mayNameDay = hits.some(
    ({ passage: { headings, fields } }) =>
      fields.isOutdated || namedDay(fields) !== '' || headings.some((heading) => hasYear.test(heading)),
  );
  return mayNameDay || new Set(hits.map(({ passage }) => passage.fields.date)).size > 1;
}

function comparedOf(
  hit: ScoredPassage,
  wanted: WantedTerms,
  { dates, today }: { dates: DatesWanted; today: string },
): Compared {
  const { title, fields } = hit.passage;
  const named = namedDayOf(hit.passage);
  // Where days begin first it may be a day later than by UTC.
  const lastDay = addDays(today, 1);
  const isAhead = named > lastDay || firstDayIn(title.slice(0, maxTitleLength)) > lastDay;
  return {
    hit,
    coverage: coverageOf(hit, wanted),
    named,
    changed: fields.date,
    isOutdated: fields.isOutdated,
    isToCome: draftStatus.test(fields.status) || isAhead,
    isDatedAsAsked: named !== '' && isWithin(named, dates),
    title: wordsOfTitle(title),
  };
}

function isWithin(day: string, { from, to }: Partial<Days>): boolean {
  if (from === undefined && to === undefined) return false;
  return (from === undefined || day >= from) && (to === undefined || day <= to);
}

/**
 * Of days of the same kind only: that of a change says little about what a text without a date speaks of. What does not
 * hold yet takes the place of nothing.
 */
function isNewer(left: Compared, right: Compared): boolean {
  if (left.isToCome && !right.isToCome) return false;
  if ((left.named === '') !== (right.named === '')) return false;
  return left.named === '' ? left.changed > right.changed : left.named > right.named;
}

/** Weekly reports, versions of a policy, sections of a changelog: what says the same again, later. */
function areOfASeries(left: Compared, right: Compared): boolean {
  const [project, other] = [left.hit.passage.fields.project, right.hit.passage.fields.project];
  if (project !== other && project !== '' && other !== '') return false;
  const shared = left.title.intersection(right.title).size;
  return shared > 0 && 2 * shared >= minSharedTitle * (left.title.size + right.title.size);
}

/** The telling terms of a title, without days and numbers. */
function wordsOfTitle(title: string): ReadonlySet<string> {
  let words = title.slice(0, maxTitleLength);
  const days = hasYear.test(words) ? datesIn(words) : [];
  for (const { start, end } of days.reverse()) words = `${words.slice(0, start)} ${words.slice(end)}`;
  return new Set(questionTerms(words).telling.filter((term) => !/\d/.test(term)));
}

function areNear(preferred: Compared, other: Compared, nearness: Nearness): boolean {
  const [one, two] = [preferred.hit.score, other.hit.score];
  return (
    Math.min(one, two) >= nearness.score * Math.max(one, two) &&
    preferred.coverage >= nearness.coverage * other.coverage
  );
}

function coverageOf(hit: ScoredPassage, { telling }: WantedTerms): number {
  const terms = new Set(hit.terms);
  return telling.reduce((sum, term) => sum + term.weight * partMet(term, terms), 0);
}

/** What a question wants in some of its words, and what it wants beside them: all of it where that is nothing. */
function partedByTime(
  wanted: WantedTerms,
  { words }: Question,
  spans: readonly Span[],
): { ofTimes: readonly WantedTerm[]; timeless: WantedTerms } {
  const terms = new Set(partedWords(words, spans).inside.flatMap((word) => word.terms));
  const ofTimes = wanted.telling.filter(({ asked }) => terms.has(asked));
  if (ofTimes.length === wanted.telling.length) return { ofTimes: [], timeless: wanted };
  return {
    ofTimes,
    timeless: { ...wanted, telling: wanted.telling.filter(({ asked }) => !terms.has(asked)) },
  };
}

/** A passage that is dated as asked speaks of that time, even if it does not name it in the same words. */
function withTerms(hit: ScoredPassage, more: readonly WantedTerm[]): ScoredPassage {
  const present = new Set(hit.terms);
  const added = more.map(({ number }) => number).filter((number) => !present.has(number));
  return { ...hit, terms: Uint32Array.of(...hit.terms, ...added) };
}
