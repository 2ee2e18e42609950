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

/** What cursors are sealed with: made once for an installation, kept with its rows, told to nobody. */
export interface CursorSecret {
  key: Uint8Array;
  /**
   * Up to this place, milliseconds since the epoch, cursors of earlier versions
   * are good, which were sealed with the team's id; 0 where there can be none.
   */
  earlierUntilMs: number;
}

/** Bytes of the key: as many as the hash gives. */
export const cursorKeyBytes = 32;
/** How long processes of an earlier version may go on issuing cursors while an installation is upgraded. */
export const upgradeMs = 24 * 60 * 60 * 1_000;

/** Issues cursors and reads them back. */
export interface Cursors {
  /**
   * Writes a place in a feed as an opaque cursor. The place is the `updated_at`
   * of a row that the reader has seen, so a cursor tells nothing about rows that
   * it has not.
   */
  encode(scope: CursorScope, afterMs: number): string;
  /**
   * Reads a cursor back.
   * @throws AppError `invalid_cursor` for one that was not issued for `scope`.
   */
  decode(scope: CursorScope, cursor: string): number;
}

/** Makes the cursors of an installation; its processes share the secret. */
export function createCursors({ key, earlierUntilMs }: CursorSecret): Cursors {
  const seal = ({ list, teamId, tier }: CursorScope, place: string) =>
    sealed(key, `${teamId}|${list}|${tier}|${place}`);
  // Callers can read their team's id, so such a cursor says no more than a time, as `since` does.
  const earlierSeal = ({ list, teamId, tier }: CursorScope, place: string) =>
    sealed(teamId, `${list}|${tier}|${place}`);

  return {
    encode(scope, afterMs) {
      const place = afterMs.toString(36);
      return `${place}.${seal(scope, place)}`;
    },
    decode(scope, cursor) {
      const [place, given, ...rest] = cursor.length <= cursorMaxCharacters ? cursor.split('.') : [];
      if (place === undefined || given === undefined || rest.length > 0) throw invalidCursor();
      const afterMs = Number.parseInt(place, 36);
      if (isSame(given, seal(scope, place))) return afterMs;
      if (afterMs <= earlierUntilMs && isSame(given, earlierSeal(scope, place))) return afterMs;
      throw invalidCursor();
    },
  };
}

function sealed(key: Uint8Array | string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function invalidCursor(): AppError {
  const detail = 'was not issued for this list, team and tier';
  return new AppError('invalid_cursor', `The cursor ${detail}.`, {
    violations: [{ pointer: '/cursor', detail }],
  });
}
