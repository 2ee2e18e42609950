import { locale } from '../language/language.ts';

const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const timeOfDay = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const longDay = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** From how many days on a length of time is told in a larger unit, and the days of that unit. */
const longUnits = [
  { fromDays: 365, unit: 'year', days: 365.25 },
  { fromDays: 60, unit: 'month', days: 365.25 / 12 },
  { fromDays: 14, unit: 'week', days: 7 },
] as const;

/** How long ago or ahead, in the browser's language: "5 minutes ago". */
export function fromNow(at: Date, now = new Date()): string {
  const differenceMs = at.getTime() - now.getTime();
  const size = Math.abs(differenceMs);
  if (size < minuteMs) return relative.format(0, 'minute');
  if (size < hourMs) return relative.format(Math.round(differenceMs / minuteMs), 'minute');
  if (size < dayMs) return relative.format(Math.round(differenceMs / hourMs), 'hour');
  const { unit, days } = longUnits.find(({ fromDays }) => size >= fromDays * dayMs) ?? {
    unit: 'day',
    days: 1,
  };
  return relative.format(Math.round(differenceMs / (days * dayMs)), unit);
}

/** A moment, such as a change: how long ago it was. Hovering shows the exact time. */
export function When({ at }: { at: Date | string }) {
  const date = typeof at === 'string' ? new Date(at) : at;
  return (
    <time dateTime={date.toISOString()} title={moment.format(date)}>
      {fromNow(date)}
    </time>
  );
}

/** The time of a day, where the day stands above. */
export function TimeOfDay({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()} title={moment.format(at)}>
      {timeOfDay.format(at)}
    </time>
  );
}

/** A day of the calendar, `YYYY-MM-DD`, in the browser's language. Text that is no day is shown as it is. */
export function Day({ value }: { value: string }) {
  const date = new Date(`${value}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? (
    <span>{value}</span>
  ) : (
    <time dateTime={value}>{day.format(date)}</time>
  );
}

/** The day of a moment here, written out, as a heading over what happened on it. */
export function dayHeading(at: Date): string {
  return longDay.format(at);
}
