import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';

/** Longer texts cannot be cursors and are refused unread. */
const maxCursorCharacters = 256;

const timeForm = /^[0-9a-z]{1,11}$/;

/** What a feed is narrowed to: the beginning of its keys, and whether its rows come without their texts. */
export interface FeedPart {
  prefix: string;
  summary: boolean;
}

/** The only reader and list that a cursor is good for. */
export interface CursorScope {
  list: 'items' | 'tasks' | 'decisions' | 'item-versions';
  teamId: string;
  tier: Tier;
  /** The part of the list that is read. Unset: all of it, with everything that its rows have. */
  part?: FeedPart | { rowKey: string } | { filter: string } | undefined;
}

/** What cursors are sealed with. Made once for an installation, stored with its rows, never shown. */
export interface CursorSecret {
  key: Uint8Array;
}

/** Bytes of the key: as many as the hash has. */
export const cursorKeyBytes = 32;

/** Issues cursors and reads them back. */
export interface Cursors {
  /**
   * Returns a time of a reader's feed as an opaque cursor. The time is the `updated_at` of a row that the reader has
   * seen, so a cursor reveals nothing about other rows.
   */
  encode(scope: CursorScope, afterMs: number): string;
  /**
   * Returns the time in a cursor.
   * @throws AppError `invalid_cursor` if it was not issued for `scope`.
   */
  decode(scope: CursorScope, cursor: string): number;
}

/** Makes the cursors of an installation; all its processes share the secret. */
export function createCursors({ key }: CursorSecret): Cursors {
  const seal = ({ list, teamId, tier, part }: CursorScope, time: string) =>
    sealed(key, `${teamId}|${list}|${tier}|${time}${part === undefined ? '' : textOfPart(part)}`);

  return {
    encode(scope, afterMs) {
      const time = afterMs.toString(36);
      return `${time}.${seal(scope, time)}`;
    },
    decode(scope, cursor) {
      const [time, given, ...rest] = cursor.length <= maxCursorCharacters ? cursor.split('.') : [];
      if (time === undefined || given === undefined || rest.length > 0) throw invalidCursor();
      // A time with a `|` could pass as a time and a part.
      if (!timeForm.test(time)) throw invalidCursor();
      if (isSame(given, seal(scope, time))) return Number.parseInt(time, 36);
      throw invalidCursor();
    },
  };
}

function textOfPart(part: NonNullable<CursorScope['part']>): string {
  // What may contain any character is the last.
  if ('rowKey' in part) return `|${part.rowKey}`;
  if ('filter' in part) return `|filter|${part.filter}`;
  return `|${part.summary ? 'summary' : 'whole'}|${part.prefix}`;
}

function sealed(key: Uint8Array, text: string): string {
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
