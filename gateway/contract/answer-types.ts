import { dayPattern, slugPattern } from '@teammemory/vocabulary/formats.ts';
import { z } from 'zod';

// The types of fields in answers. Requests are read leniently (field-types.ts), answers have one form only.

/** A moment in UTC with three fraction digits (docs/contract.md, first paragraph). */
export function instant(description: string) {
  return z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
    .meta({ description, format: 'date-time' });
}

/** A UUID of version 7 in lower case. */
export function uuid(description: string) {
  return z
    .string()
    .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    .meta({ description, format: 'uuid' });
}

/** A day of the calendar. */
export function day(description: string) {
  return z.string().regex(dayPattern).meta({ description, format: 'date' });
}

/** A short name for URLs (docs/contract.md, "Names"). */
export function slug(description: string) {
  return z.string().regex(slugPattern).meta({ description });
}

/** Any text. */
export function prose(description: string) {
  return z.string().meta({ description });
}

/** A whole number from 0, or from `minimum`. */
export function whole(description: string, minimum = 0) {
  return z.int().min(minimum).meta({ description });
}

/** A tier: a team key sees both, an external key sees `external` only. */
export function visibleTo(description: string) {
  return z.enum(['team', 'external']).meta({ description });
}

/** Since when a note wants to be checked again; the member is left out while that day is to come. */
export const toBeCheckedSince = z
  .string()
  .meta({
    description:
      'Its day to be checked again, YYYY-MM-DD, has passed: review_by or stale_after in its front matter. Left out otherwise.',
  })
  .optional();

/** Returns the member for a day, YYYY-MM-DD, that has passed; none for others and for an empty text. */
export function passedDay(checkBy: string, now = new Date()): { to_be_checked_since?: string } {
  const hasPassed = checkBy !== '' && checkBy < now.toISOString().slice(0, 10);
  return hasPassed ? { to_be_checked_since: checkBy } : {};
}

/** Whether a guest wrote something; the member is left out otherwise. */
export const byGuest = z
  .literal(true)
  .meta({ description: 'A guest wrote it: a key of tier external. Left out otherwise.' })
  .optional();
