/** The form of the slug of a team, a project or a codebase (docs/contract.md, "Names"). It fits a DNS label. */
export const slugPattern = /^[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?$/;

/** The end of a sentence that refuses what is not a slug. */
export const slugRule = 'must be 1 to 64 of a-z, 0-9 and -, beginning and ending with a letter or digit';

/** Whether a value is a slug. */
export function isSlug(value: unknown): value is string {
  return typeof value === 'string' && slugPattern.test(value);
}

/** The form of a member's handle as it is stored: a slug plus the two characters that user names and mail addresses have besides. */
export const handlePattern = /^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$/;

/** The form of a checksum that a client sends. */
export const checksumPattern = /^sha256:[0-9A-Fa-f]{64}$/;

/** The form of a stored checksum, which is in lower case. */
export const storedChecksumPattern = /^sha256:[0-9a-f]{64}$/;

/** The form of a day: YYYY-MM-DD. */
export const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day that exists in the calendar, in the form YYYY-MM-DD. */
export function isCalendarDay(text: string): boolean {
  if (!dayPattern.test(text)) return false;
  const midnight = new Date(`${text}T00:00:00.000Z`);
  // Date takes February 30 for March 2 instead of failing.
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}
