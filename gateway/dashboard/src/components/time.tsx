const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const timeOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const longDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long ago or ahead, in the browser's language: "5 minutes ago". */
export function fromNow(at: Date, now = new Date()): string {
  const differenceMs = at.getTime() - now.getTime();
  const size = Math.abs(differenceMs);
  if (size < minuteMs) return relative.format(0, 'minute');
  if (size < hourMs) return relative.format(Math.round(differenceMs / minuteMs), 'minute');
  if (size < dayMs) return relative.format(Math.round(differenceMs / hourMs), 'hour');
  return relative.format(Math.round(differenceMs / dayMs), 'day');
}

/** A moment, such as a change. Within a week it says how long ago; hovering shows the exact time. */
export function When({ at }: { at: Date | string }) {
  const date = typeof at === 'string' ? new Date(at) : at;
  const isNear = Math.abs(date.getTime() - Date.now()) < 7 * dayMs;
  return (
    <time dateTime={date.toISOString()} title={moment.format(date)}>
      {isNear ? fromNow(date) : moment.format(date)}
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
