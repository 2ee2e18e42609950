import { usageError } from './cli-error.ts';

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000 } as const;
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/**
 * The moment that `--expires` means: `<n>d`, `<n>h` or `<n>m` (days, hours, minutes
 * from now) or an RFC 3339 time. Throws a usage error for anything else, and for
 * a moment that has passed.
 */
export function parseExpiry(text: string, now: Date): Date {
  const span = /^([1-9]\d{0,6})([dhm])$/.exec(text);
  const expiry = span
    ? new Date(now.getTime() + Number(span[1]) * unitMs[span[2] as keyof typeof unitMs])
    : new Date(rfc3339.test(text) ? text : Number.NaN);
  // Year 9999 is the last that RFC 3339 can write.
  if (Number.isNaN(expiry.getTime()) || expiry.getUTCFullYear() > 9999) {
    throw usageError(
      '--expires takes a span such as 90d, 12h or 30m, or a time such as 2027-01-31T00:00:00Z.',
    );
  }
  if (expiry <= now) throw usageError('--expires is in the past.');
  return expiry;
}
