import { everydayWords } from '../text/everyday-words.ts';
import type { Span } from '../text/sentences.ts';

/** First to last day of a period, both YYYY-MM-DD and inclusive. */
export interface Days {
  from: string;
  to: string;
}

export const calendarUnits = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type CalendarUnit = (typeof calendarUnits)[number];

const dayMs = 24 * 60 * 60_000;

/**
 * Returns the day as YYYY-MM-DD; undefined if it does not exist or its year is not one of 1900 to 2199. `month` is from
 * 1.
 */
export function dayOf(year: number, month: number, day: number): string | undefined {
  if (year < 1900 || year > 2199 || month < 1 || month > 12 || day < 1) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 ? isoDay(date.getTime()) : undefined;
}

/** A day, some days later or, with a negative number, earlier. */
export function addDays(day: string, days: number): string {
  return isoDay(Date.parse(day) + days * dayMs);
}

/** The day of the week from 0, which is Monday. */
export function weekdayOf(day: string): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

/** The period of this length that a day lies in, or the one so many later; weeks begin on Monday. */
export function periodOf(unit: CalendarUnit, day: string, offset = 0): Days {
  if (unit === 'day') return { from: addDays(day, offset), to: addDays(day, offset) };
  if (unit === 'week') {
    const monday = addDays(day, 7 * offset - weekdayOf(day));
    return { from: monday, to: addDays(monday, 6) };
  }
  const [year = 0, month = 1] = day.split('-').map(Number);
  const length = unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12;
  const first = Math.floor((month - 1) / length) * length + offset * length;
  return { from: isoDay(Date.UTC(year, first, 1)), to: isoDay(Date.UTC(year, first + length, 0)) };
}

/** Returns the month; undefined if there is none of this number. */
export function monthOf(year: number, month: number): Days | undefined {
  const first = dayOf(year, month, 1);
  return first === undefined ? undefined : periodOf('month', first);
}

/** The quarter, 1 to 4, of a year. */
export function quarterOf(year: number, quarter: number): Days | undefined {
  const first = dayOf(year, 3 * quarter - 2, 1);
  return first === undefined ? undefined : periodOf('quarter', first);
}

/** The half, 1 or 2, of a year. */
export function halfOf(year: number, half: number): Days | undefined {
  const [first, last] = [dayOf(year, 6 * half - 5, 1), monthOf(year, 6 * half)];
  return first === undefined || last === undefined ? undefined : { from: first, to: last.to };
}

/** A week by ISO 8601: the first of a year is the one that has its 4 January. Undefined where the year has no such week. */
export function isoWeekOf(year: number, week: number): Days | undefined {
  const fourth = dayOf(year, 1, 4);
  if (fourth === undefined || week < 1) return undefined;
  const days = periodOf('week', fourth, week - 1);
  // A week belongs to the year of its Thursday.
  return Number(addDays(days.from, 3).slice(0, 4)) === year ? days : undefined;
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** British and American English abbreviate months differently. */
const languages = ['en-GB', 'en-US', 'de', 'fr', 'es', 'it', 'nl', 'pt'];
const everyday = new Set(everydayWords.trim().split(/\s+/));

/** Months by their names and abbreviations in seven languages, lower case, with and without accents; January is 1. */
export const monthNames: ReadonlyMap<string, number> = namesOf(12, (language, month) =>
  (['long', 'short'] as const).map((length) =>
    new Intl.DateTimeFormat(language, { month: length, timeZone: 'UTC' }).format(Date.UTC(2026, month, 1)),
  ),
);

/** Days of the week by their names in seven languages, as `monthNames`; Monday is 1. */
export const weekdayNames: ReadonlyMap<string, number> = namesOf(7, (language, day) => [
  new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 5 + day)),
]);

/** Whether a name is also an everyday word of English, as may, march and the Spanish abbreviation set are. */
export function isEverydayWord(name: string): boolean {
  return everyday.has(name.toLowerCase());
}

/** A phrase such as "last week" or "3 days ago", as a pattern without anchors. */
interface RelativePhrase {
  pattern: string;
  unit: CalendarUnit;
  /** Periods from today's; for patterns with a group, that many times the number in it. */
  offset: number;
}

/** What people say for the periods around today, in seven languages. */
export const relativePhrases: readonly RelativePhrase[] = languages.slice(1).flatMap((language) => {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return calendarUnits.flatMap((unit) => [
    ...[-2, -1, 0, 1, 2]
      .map((offset) => ({ offset, text: format.format(offset, unit) }))
      .filter(({ text }) => !/\d/.test(text))
      .map(({ offset, text }) => ({ unit, offset, pattern: phrasePattern(text) })),
    // The plural of all languages is that of 7, which no name has.
    ...[-7, 7].map((offset) => {
      const pattern = phrasePattern(format.format(offset, unit)).replace('7', '(\\d{1,2})');
      return { unit, offset: offset / 7, pattern };
    }),
  ]);
});

/** A pattern of one of the names, the longest first. */
export function oneOf(names: Iterable<string>): string {
  const longestFirst = [...names].sort((left, right) => right.length - left.length);
  return `(?:${longestFirst.map((name) => RegExp.escape(name)).join('|')})`;
}

/** Articles are left out, endings of German adjectives are free, and neighbours that mean the same are let in. */
function phrasePattern(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(?:la|le|el) |^l[’']/, '')
    .replace(/\b(letzt|dies|nächst)(?:en|es|e)\b/, '$1(?:e[nsrm]?)')
    .replace('letzt', '(?:letzt|vergangen|vorig)')
    .replace('nächst', '(?:nächst|kommend)')
    .replace(/^last /, '(?:last|past|previous) ')
    .replace(/^next /, '(?:next|coming) ')
    .replace(/^this /, '(?:this|current) ')
    .replace(/[’']/g, "[’']")
    .replaceAll(' ', '\\s{1,3}');
}

function namesOf(
  count: number,
  inLanguage: (language: string, index: number) => string[],
): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const language of languages)
    for (let index = 0; index < count; index += 1)
      for (const name of inLanguage(language, index)) {
        const plain = name.toLowerCase().replace(/\.$/, '');
        for (const form of [plain, withoutAccents(plain), plain.replace(/-feira$/, '')])
          if (!numbers.has(form)) numbers.set(form, index + 1);
      }
  return numbers;
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

/** A part of a text that names days. */
export type DateSpan = Days & Span;

const digitsOfYear = '(?:19|20|21)\\d\\d';
const year = `(?<year>${digitsOfYear})`;
/** All forms have one: most texts, as the words of a path, need not be searched for all of them. */
const hasYear = new RegExp(digitsOfYear);
const day = '(?<day>\\d{1,2})(?:st|nd|rd|th|er|\\.|º|ª)?';
const gap = '[\\s,]{1,3}';
const of = '(?:(?:of|de|del|do|di)\\s)?';
const names = [...monthNames.keys()];
const name = `(?<name>${oneOf(names)})\\.?`;
/** Without a day, "set 2026" and "out 2026" are no months. */
const plainName = `(?<name>${oneOf(names.filter((each) => each.length > 3 || !isEverydayWord(each) || each === 'may'))})\\.?`;
const ordinals = ['first', 'second', 'third', 'fourth'];

/** The ways in which days are written; of those that fit at a place the first counts. */
const forms = [
  // 2026-11-03, 2026/11/03, 2026_11_03, 2026.11.03, and the month alone; 20261103.
  `${year}(?<mark>[-/_.])(?<month>\\d\\d?)\\k<mark>(?<day>\\d\\d?)(?!\\d)`,
  `${year}(?<month>[01]\\d)(?<day>[0-3]\\d)(?!\\d)`,
  `${year}-?W(?<week>\\d\\d)(?!\\d)`,
  `${year}[-/](?<month>\\d\\d)(?![-/_.]?\\d)`,
  // 03.11.2026; with slashes only where no month can be meant by the other number.
  `(?<day>\\d{1,2})\\.\\s?(?<month>\\d{1,2})\\.\\s?${year}(?!\\d)`,
  `(?<day>1[3-9]|2\\d|3[01])/(?<month>\\d{1,2})/${year}(?!\\d)`,
  `(?<month>\\d{1,2})/(?<day>1[3-9]|2\\d|3[01])/${year}(?!\\d)`,
  // 3 November 2026, November 3, 2026, November 2026, in seven languages.
  `${day}\\s{0,3}${of}${name}${gap}${of}${year}(?!\\d)`,
  `${name}\\s{1,3}${day}${gap}${year}(?!\\d)`,
  `${plainName}${gap}${of}${year}(?!\\d)`,
  `Q(?<quarter>[1-4])[\\s/-]{0,3}${of}${year}(?!\\d)`,
  `${year}[\\s/-]{0,3}Q(?<quarter>[1-4])(?!\\d)`,
  `H(?<half>[12])[\\s/-]{0,3}${of}${year}(?!\\d)`,
  `(?<ordinal>${ordinals.join('|')})\\squarter\\s(?:of\\s)?${year}(?!\\d)`,
  `(?<quarter>[1-4])\\.\\s?Quartal\\s${year}(?!\\d)`,
  `(?:KW|week)\\s?(?<week>\\d{1,2})[\\s/]{1,3}(?:of\\s)?${year}(?!\\d)`,
];
const anyForm = new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms.join('|')})(?!\\p{L}{2})`, 'giu');

/**
 * The days that a text names with their year, in order: days, weeks, months,
 * quarters and halves of years, as numbers or with the names of months in
 * English, German, French, Spanish, Italian, Dutch and Portuguese. What is no
 * day of a calendar, and 03/11/2026, which is one thing here and another there,
 * are left out. Takes time in proportion to the text.
 */
export function datesIn(text: string): DateSpan[] {
  const found: DateSpan[] = [];
  if (!hasYear.test(text)) return found;
  for (const match of text.matchAll(anyForm)) {
    const days = daysOf({ ...match.groups });
    if (days) found.push({ ...days, start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** The day that a text names in full; '' where the first that it names is a week, a month or longer, or none. */
export function fullDayIn(text: string): string {
  const [first] = datesIn(text);
  return first !== undefined && first.from === first.to ? first.from : '';
}

interface DateParts {
  year?: string;
  half?: string;
  quarter?: string;
  ordinal?: string;
  month?: string;
  name?: string;
  week?: string;
  day?: string;
}

function daysOf(groups: DateParts): Days | undefined {
  const inYear = Number(groups.year);
  if (groups.week) return isoWeekOf(inYear, Number(groups.week));
  if (groups.half) return halfOf(inYear, Number(groups.half));
  if (groups.quarter) return quarterOf(inYear, Number(groups.quarter));
  if (groups.ordinal) return quarterOf(inYear, ordinals.indexOf(groups.ordinal.toLowerCase()) + 1);
  const month = groups.name ? monthNumber(groups.name) : Number(groups.month);
  if (!groups.day) return monthOf(inYear, month);
  const only = dayOf(inYear, month, Number(groups.day));
  return only ? { from: only, to: only } : undefined;
}

/** The number of a month by any of its names; 0 where it is none. */
export function monthNumber(written: string): number {
  return monthNames.get(written.toLowerCase().normalize('NFC')) ?? 0;
}
