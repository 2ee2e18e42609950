/** First to last day of a period, both YYYY-MM-DD and inclusive. */
export interface Days {
  from: string;
  to: string;
}

export const calendarUnits = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type CalendarUnit = (typeof calendarUnits)[number];

const dayMs = 24 * 60 * 60_000;

/** The day as YYYY-MM-DD; undefined where there is no such day, or the year is not one of 1900 to 2199. `month` is from 1. */
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

/** The month; undefined where there is none of this number. */
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
