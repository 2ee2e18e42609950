/** The latest moment that both JavaScript dates and protobuf can represent: the end of the year 9999. */
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

// The "+" of an offset arrives as a space if a client did not encode it.
const form =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,30}))?)?(?:([Zz])|([+\- ])(\d{2}):?(\d{2})?)?)?$/;

/**
 * Parses an ISO 8601 time to milliseconds since the epoch, truncated to the
 * millisecond. A day means its midnight, a time without an offset is UTC, and
 * second 60 (a leap second) is the next second. Returns undefined for anything
 * else, including days and times that do not exist.
 */
export function parseTime(text: string): number | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, , sign, offsetHours, offsetMinutes] = match;
  const number = (digits: string | undefined) => Number(digits ?? 0);
  const midnight = new Date(`${year}-${month}-${day}T00:00:00.000Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== number(day)) return undefined;
  if (number(hour) > 23 || number(minute) > 59 || number(second) > 60) return undefined;
  if (number(offsetHours) > 23 || number(offsetMinutes) > 59) return undefined;
  const offsetMs = (number(offsetHours) * 60 + number(offsetMinutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const timeMs = ((number(hour) * 60 + number(minute)) * 60 + number(second)) * 1000;
  const fractionMs = Number((fraction ?? '').slice(0, 3).padEnd(3, '0'));
  return Math.min(midnight.getTime() + timeMs + fractionMs - offsetMs, latestMs);
}
