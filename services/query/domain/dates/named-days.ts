import type { Span } from '../text/sentences.ts';
import {
  addDays,
  type CalendarUnit,
  calendarUnits,
  type Days,
  datesIn,
  dayOf,
  halfOf,
  isEverydayWord,
  isoWeekOf,
  monthNames,
  monthNumber,
  monthOf,
  oneOf,
  periodOf,
  quarterOf,
  relativePhrases,
  weekdayNames,
  weekdayOf,
} from './dates-in.ts';

/** Days that a question names. */
export interface NamedDays extends Span {
  /** These days; where the question leaves open in which year or week they lie, the nearest that have begun. */
  days: Days;
  /** Where it leaves that open: the same so many times later or, with a negative number, earlier. */
  again?: ((times: number) => Days) | undefined;
}

/** What the patterns below tell apart. */
type Groups = {
  [part in
    | CalendarUnit
    | 'next'
    | 'last'
    | 'this'
    | 'count'
    | 'number'
    | 'ordinal'
    | 'name'
    | 'unit'
    | 'whole']?: string;
};
type Reading = Pick<NamedDays, 'days' | 'again'>;

/** Further years are numbers of something else. */
const yearsBack = 30;
const yearsAhead = 10;
const next = 'next|coming|nächste[nrs]?|kommende[nrs]?';
const last = 'last|past|previous|letzte[nrs]?|vergangene[nrs]?|vorige[nrs]?';
const which = `(?:(?<next>${next})|(?<last>${last})|(?<this>this|diese[nrsm]?))\\s`;
const counts = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const germanCounts = ['ein', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn'];
const count = `(?<count>\\d{1,3}|${[...counts, ...germanCounts].join('|')})`;
const units =
  '(?:(?<day>days?|tage?n?)|(?<week>weeks?|wochen?)|(?<month>months?|monate?n?)|(?<quarter>quarters?|quartalen?)|(?<year>years?|jahre?n?))';
const ordinals = ['first', 'second', 'third', 'fourth'];
const month = `(?<name>${oneOf(monthNames.keys())})`;

const readings: [pattern: string, read: (groups: Groups, today: string) => Reading | undefined][] = [
  [`(?:(?<last>${last})|(?<next>${next}))\\s${count}\\s${units}`, lastUnits],
  [
    `(?:${which})?(?:Q(?<number>[1-4])|(?<number>[1-4])\\.\\s?Quartal|(?<ordinal>${ordinals.join('|')})\\squarter)`,
    quarter,
  ],
  [
    '(?:(?:calendar\\s)?week|KW|Kalenderwoche|Woche|semaine|semana|settimana)\\s(?<number>[0-5]?\\d)',
    ({ number }, today) => nearest((year) => isoWeekOf(year, Number(number)), today),
  ],
  ['H(?<number>[12])', ({ number }, today) => nearest((year) => halfOf(year, Number(number)), today)],
  [
    `(?<day>[0-3]?\\d)(?:st|nd|rd|th|er|\\.)?\\s(?:of\\s|de\\s)?${month}|${month}\\.?\\s(?<day>[0-3]?\\d)(?:st|nd|rd|th)?`,
    dayOfMonth,
  ],
  [`(?:${which})?${month}`, monthWithoutYear],
  [`(?:${which})?(?<name>${oneOf(weekdayNames.keys())})s?`, weekday],
  ['(?<year>20\\d\\d)', yearAlone],
  [
    'EO(?<unit>[MQWY])|(?<=end\\sof\\s|start\\sof\\s|beginning\\sof\\s)the\\s(?<whole>week|month|quarter|year)|(?<=Ende\\s|Anfang\\s)de[rs]\\s(?<whole>Woche|Monats|Quartals|Jahres)',
    wholeUnit,
  ],
];
const expressions = readings.map(
  ([pattern, read]) =>
    [new RegExp(`(?<![\\p{L}\\p{N}#$€£.-])(?:${pattern})(?![\\p{L}\\p{N}]|[-.,:]\\d)`, 'giu'), read] as const,
);
const relatives = relativePhrases.map(
  ({ pattern, ...phrase }) =>
    [new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'giu'), phrase] as const,
);
/** German and Dutch for "here", too. */
const otherLanguage: ReadonlyMap<string, RegExp> = new Map([
  ['hier', /(?<!\p{L})(?:que?|qu['’]|qui|quel\w*|quoi|nous|avons|les|est)(?!\p{L})/iu],
]);
/** Before a name that is an everyday word too: "in may", "since March", never "it may". */
const namesTime =
  /(?:^|[^\p{L}])(?:in|on|of|since|before|after|by|until|till|during|from|through|between|and|to|for|late|early|mid)\s$/iu;

/**
 * The days that a question names, in order, none within another; seen from
 * `today`, where it names no year. Months that are everyday words too count in
 * capitals amid a sentence, or behind a word such as "in".
 */
export function namedDays(question: string, today: string): NamedDays[] {
  const found: NamedDays[] = datesIn(question).map(({ start, end, ...days }) => ({ start, end, days }));
  for (const [pattern, { unit, offset }] of relatives)
    for (const match of question.matchAll(pattern)) {
      const language = otherLanguage.get(match[0].toLowerCase());
      if (language && !language.test(question)) continue;
      const periods = match[1] === undefined ? offset : offset * Number(match[1]);
      found.push({ ...spanOf(match), days: periodOf(unit, today, periods) });
    }
  for (const [pattern, read] of expressions)
    for (const match of question.matchAll(pattern)) {
      const groups: Groups = { ...match.groups };
      if (groups.name && isEverydayWord(match[0]) && !isMeantAsName(question, match.index)) continue;
      const reading = read(groups, today);
      if (reading) found.push({ ...spanOf(match), ...reading });
    }
  return withoutInner(found);
}

function spanOf({ index, 0: text }: RegExpExecArray): Span {
  return { start: index, end: index + text.length };
}

function isMeantAsName(question: string, start: number): boolean {
  const before = question.slice(Math.max(0, start - 12), start);
  return (
    namesTime.test(before) || (/\p{Lu}/u.test(question[start] ?? '') && /[\p{L}\p{N},]\s$/u.test(before))
  );
}

/** In order; of those that overlap the first, and the longest of those that begin together: "3 March 2026" has three. */
function withoutInner(found: readonly NamedDays[]): NamedDays[] {
  const inOrder = [...found].sort((left, right) => left.start - right.start || right.end - left.end);
  let shownTo = 0;
  return inOrder.filter(({ start, end }) => {
    if (start < shownTo) return false;
    shownTo = end;
    return true;
  });
}

/** What lies in every year: the last that has begun. */
function nearest(inYear: (year: number) => Days | undefined, today: string): Reading | undefined {
  const thisYear = Number(today.slice(0, 4));
  for (const year of [thisYear, thisYear - 1]) {
    const days = inYear(year);
    if (days && days.from <= today) return { days, again: (times) => inYear(year + times) ?? days };
  }
  return undefined;
}

/** One that lies in every year, behind "next", "last" or "this". */
function chosen(
  inYear: (year: number) => Days | undefined,
  { next, last, this: present }: Groups,
  today: string,
): Reading | undefined {
  const thisYear = Number(today.slice(0, 4));
  const years = present ? [thisYear] : next ? [thisYear, thisYear + 1] : [thisYear, thisYear - 1];
  if (!(next || last || present)) return nearest(inYear, today);
  for (const year of years) {
    const days = inYear(year);
    if (days && (present || (next ? days.from > today : days.to < today))) return { days };
  }
  return undefined;
}

function quarter({ number, ordinal = '', ...groups }: Groups, today: string): Reading | undefined {
  const which = Number(number ?? ordinals.indexOf(ordinal.toLowerCase()) + 1);
  return chosen((year) => quarterOf(year, which), groups, today);
}

function monthWithoutYear({ name = '', ...groups }: Groups, today: string): Reading | undefined {
  return chosen((year) => monthOf(year, monthNumber(name)), groups, today);
}

function dayOfMonth({ name = '', day }: Groups, today: string): Reading | undefined {
  const inYear = (year: number) => {
    const only = dayOf(year, monthNumber(name), Number(day));
    return only ? { from: only, to: only } : undefined;
  };
  return nearest(inYear, today);
}

function weekday({ name = '', next, last, this: present }: Groups, today: string): Reading {
  const ahead = (weekdayNumber(name) - 1 - weekdayOf(today) + 7) % 7;
  const in7 = (days: number) => periodOf('day', today, days);
  if (next) return { days: in7(ahead || 7) };
  if (last) return { days: in7(ahead - 7) };
  if (present) return { days: in7(weekdayNumber(name) - 1 - weekdayOf(today)) };
  const back = ahead === 0 ? 0 : ahead - 7;
  return { days: in7(back), again: (times) => in7(back + 7 * times) };
}

function weekdayNumber(name: string): number {
  return weekdayNames.get(name.toLowerCase().normalize('NFC')) ?? 1;
}

function yearAlone({ year }: Groups, today: string): Reading | undefined {
  const ahead = Number(year) - Number(today.slice(0, 4));
  if (ahead < -yearsBack || ahead > yearsAhead) return undefined;
  return { days: { from: `${year}-01-01`, to: `${year}-12-31` } };
}

/** "The last two weeks" end today, "the next two weeks" begin today. */
function lastUnits({ last, count = '', ...groups }: Groups, today: string): Reading {
  const written = count.toLowerCase();
  const place = Math.max(counts.indexOf(written), germanCounts.indexOf(written));
  const times = (place < 0 ? Number(written) : place + 1) * (last ? -1 : 1);
  const unit = calendarUnits.find((each) => groups[each] !== undefined) ?? 'day';
  const other = sameDay(unit, today, times);
  return { days: last ? { from: other, to: today } : { from: today, to: other } };
}

/** The day so many units away: two months before 31 August is 30 June. */
function sameDay(unit: CalendarUnit, today: string, times: number): string {
  if (unit === 'day' || unit === 'week') return addDays(today, times * (unit === 'week' ? 7 : 1));
  const { from, to } = periodOf('month', today, times * { month: 1, quarter: 3, year: 12 }[unit]);
  return addDays(from, Math.min(Number(today.slice(8)), Number(to.slice(8))) - 1);
}

/** "The end of the month" names this month; EOM its last day. */
function wholeUnit({ unit, whole = '' }: Groups, today: string): Reading {
  const initial = (unit ?? whole.slice(0, 1)).toLowerCase();
  const days = periodOf(unitOf[initial] ?? 'month', today);
  return { days: unit ? { from: days.to, to: days.to } : days };
}

const unitOf: Record<string, CalendarUnit> = { m: 'month', q: 'quarter', w: 'week', y: 'year', j: 'year' };
