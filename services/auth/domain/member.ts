import { invalidRequest } from './invalid-request.ts';

/** What a member may do on the service side. */
export type MemberRole = 'admin' | 'member';

/** A person or an agent of one team. */
export interface Member {
  /** UUID version 7, lower case. */
  memberId: string;
  /** Unique in the team. Never changes, as keys and content name it. */
  handle: string;
  role: MemberRole;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** Slugs plus the two characters that user names and mail addresses have besides. */
const handlePattern = /^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$/;

/**
 * Brings a handle into the form it is stored in. Only A to Z change: Unicode's
 * rules would turn the Kelvin sign into a plain k, and so one name into another.
 */
export function normalizedHandle(handle: string): string {
  return handle.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns the handle as it is stored, or throws AppError `invalid_request`. */
export function checkedHandle(handle: string): string {
  const normalized = normalizedHandle(handle);
  if (handlePattern.test(normalized)) return normalized;
  throw invalidRequest(
    '/handle',
    'must be 1 to 64 of a-z, 0-9, ., _ and -, beginning and ending with a letter or digit',
  );
}
