import type { Span } from '../text/sentences.ts';
import {
  type Days,
  dayOf,
  halfOf,
  isEverydayWord,
  isoWeekOf,
  monthNames,
  monthOf,
  oneOf,
  quarterOf,
} from './calendar.ts';

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
