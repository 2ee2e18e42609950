import { usageError } from './cli-error.ts';

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000 } as const;
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** The description of `--expires` for `--help`. */
export const expiresHelp = 'such as 90d, 12h, 30m or 2027-01-31T00:00:00Z; default: never';

/**
 * Returns the time that `--expires` means: `<n>d`, `<n>h` or `<n>m` (days, hours, minutes from now) or a time in RFC
 * 3339. Throws a usage error for anything else, and for a time in the past.
 */
export function parseExpiry(text: string, now: Date): Date {
  const span = /^([1-9]\d{0,6})([dhm])$/.exec(text);
  const expiry = span
    ? new Date(now.getTime() + Number(span[1]) * unitMs[span[2] as keyof typeof unitMs])
    : new Date(rfc3339.test(text) ? text : Number.NaN);
  // RFC 3339 ends with the year 9999.
  if (Number.isNaN(expiry.getTime()) || expiry.getUTCFullYear() > 9999) {
    throw usageError(
      '--expires takes a span such as 90d, 12h or 30m, or a time such as 2027-01-31T00:00:00Z.',
    );
  }
  if (expiry <= now) throw usageError('--expires is in the past.');
  return expiry;
}

/**
 * Returns the milliseconds that an option means: 0 or a span such as 30m, 12h or 30d, at most 30 days. Throws a usage
 * error for anything else.
 */
export function parseSpan(option: string, text: string): number {
  const span = /^(0|[1-9]\d{0,6})([dhm])$/.exec(text === '0' ? '0m' : text);
  const ms = Number(span?.[1]) * unitMs[span?.[2] as keyof typeof unitMs];
  if (ms <= 30 * unitMs.d) return ms;
  throw usageError(`${option} takes 0 or a span such as 30m, 12h or 30d, at most 30 days.`);
}

/** Returns the time that an option means, in RFC 3339. Throws a usage error for anything else. */
export function parseTime(option: string, text: string): Date {
  const time = new Date(rfc3339.test(text) ? text : Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  throw usageError(`${option} takes a time such as 2027-01-31T00:00:00Z.`);
}

/**
 * Returns the time since when an option means: a span such as 30m, 12h or 7d before `now`, or a time in RFC 3339. Throws a
 * usage error for anything else.
 */
export function parseSince(option: string, text: string, now: Date): Date {
  const span = /^([1-9]\d{0,5})([dhm])$/.exec(text);
  if (span) return new Date(now.getTime() - Number(span[1]) * unitMs[span[2] as keyof typeof unitMs]);
  if (rfc3339.test(text)) return parseTime(option, text);
  throw usageError(`${option} takes a span such as 30m, 12h or 7d, or a time such as 2027-01-31T00:00:00Z.`);
}

/** Returns for people until when a key or a service credential is valid. */
export function validityText(credential: { expires_at: string | null; revoked_at: string | null }): string {
  const { expires_at, revoked_at } = credential;
  return revoked_at ? `revoked ${revoked_at}` : `expires ${expires_at ?? 'never'}`;
}
