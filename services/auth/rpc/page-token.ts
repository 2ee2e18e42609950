import { AppError } from '@teammemory/errors/app-error.ts';
import type { KeyPosition } from '../domain/keys.ts';
import type { Page } from '../domain/request-rules.ts';

/** The characters of slugs, handles, addresses and positions among keys. */
const positionPattern = /^[0-9A-Za-z._@+'&=~#!%-]{1,254}$/;

/** Well above the longest token of ours, so that a longer one need not be decoded. */
const maxTokenCharacters = 512;

/**
 * Returns the page token after `page`; '' if nothing follows. `list` names the list and its team, `positionOf` returns
 * a row's cursor in it. Tokens are not signed: a forged one is a cursor in a list that its caller may read anyway.
 */
export function nextPageTokenToProto<Row>(
  list: string,
  { rows, hasMore }: Page<Row>,
  positionOf: (row: Row) => string,
): string {
  const last = rows.at(-1);
  return hasMore && last !== undefined ? encode(list, positionOf(last)) : '';
}

/**
 * The position that a token of this list names; '', the beginning, for none.
 * Throws AppError `invalid_cursor` for a token that is damaged or of another list.
 */
export function pageTokenFromProto(list: string, token: string): string {
  if (token === '') return '';
  const text = token.length > maxTokenCharacters ? '' : Buffer.from(token, 'base64url').toString();
  const position = text.slice(list.length + 1);
  // Encoding it again also refuses what a lenient decoder accepts: other letters, spare bits, other lists.
  if (positionPattern.test(position) && encode(list, position) === token) return position;
  throw new AppError('invalid_cursor', 'The page token was not issued for this list.');
}

function encode(list: string, position: string): string {
  return Buffer.from(`${list} ${position}`).toString('base64url');
}

const keyPositionPattern = /^(?<createdAt>\d{1,15})\.(?<keyId>[0-9A-Za-z]{16})$/;

/** Maps a position among a team's keys to the text that page tokens carry: `<createdAt>.<keyId>`. */
export function keyPositionToProto({ createdAt, keyId }: KeyPosition): string {
  return `${createdAt}.${keyId}`;
}

/** Parses the text of a position; '' is the beginning. Throws AppError `invalid_cursor`. */
export function keyPositionFromProto(position: string): KeyPosition {
  if (position === '') return { createdAt: 0, keyId: '' };
  const { createdAt, keyId } = keyPositionPattern.exec(position)?.groups ?? {};
  if (createdAt !== undefined && keyId !== undefined) return { createdAt: Number(createdAt), keyId };
  throw new AppError('invalid_cursor', 'The page token was not issued for this list.');
}
