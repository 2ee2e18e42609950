import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Tier } from './tier.ts';

/** The longest text that could be a cursor; longer ones are not even looked at. */
const cursorMaxCharacters = 256;

/** What a cursor is good for, besides its place: it is refused anywhere else. */
export interface CursorScope {
  list: 'items' | 'tasks' | 'decisions';
  teamId: string;
  tier: Tier;
}

/**
 * Writes a place in a feed as an opaque cursor. The place is the `updated_at`
 * of a row that the reader has seen, so a cursor tells nothing about rows that
 * it has not. The seal is keyed by the team's id, which no client is told:
 * enough to refuse what we did not issue for this list, team and tier.
 */
export function encodeCursor(scope: CursorScope, afterMs: number): string {
  const place = afterMs.toString(36);
  return `${place}.${seal(scope, place)}`;
}

/**
 * Reads a cursor back.
 * @throws AppError `invalid_cursor` for one that was not issued for `scope`.
 */
export function decodeCursor(scope: CursorScope, cursor: string): number {
  const [place, given, ...rest] = cursor.length <= cursorMaxCharacters ? cursor.split('.') : [];
  if (place === undefined || given === undefined || rest.length > 0) throw invalidCursor();
  const expected = Buffer.from(seal(scope, place));
  const actual = Buffer.from(given);
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) throw invalidCursor();
  return Number.parseInt(place, 36);
}

function seal(scope: CursorScope, place: string): string {
  return createHmac('sha256', scope.teamId)
    .update(`${scope.list}|${scope.tier}|${place}`)
    .digest('base64url')
    .slice(0, 22);
}

function invalidCursor(): AppError {
  const detail = 'was not issued for this list, team and tier';
  return new AppError('invalid_cursor', `The cursor ${detail}.`, {
    violations: [{ pointer: '/cursor', detail }],
  });
}
