import { isSlug, slugRule } from '@teammemory/vocabulary/slug.ts';
import { invalidRequest } from './invalid-request.ts';

/** A team: the boundary that no row and no key crosses. */
export interface Team {
  /** UUID version 7, lower case. */
  teamId: string;
  /** Unique among teams. Never changes, as keys and requests name it. */
  slug: string;
  /** Name for people, 1 to 200 characters. */
  name: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/**
 * 1 to 200 code points: long enough for any organisation's name, short enough
 * for one line of a list. No control characters, and no lone surrogates, which
 * have no UTF-8 form and would come back from a store as something else.
 */
const namePattern = /^[^\p{Cc}\p{Cs}]{1,200}$/u;

/** Returns `slug` as it is, or throws AppError `invalid_request`. */
export function checkedSlug(slug: string): string {
  if (isSlug(slug)) return slug;
  throw invalidRequest('/slug', slugRule);
}

/** Returns `name` as it is, or throws AppError `invalid_request`. */
export function checkedTeamName(name: string): string {
  if (namePattern.test(name)) return name;
  throw invalidRequest('/name', 'must be 1 to 200 characters without control characters');
}
