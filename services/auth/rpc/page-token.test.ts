import { expect, test } from 'vitest';
import {
  keyPositionFromProto,
  keyPositionToProto,
  nextPageTokenToProto,
  pageTokenFromProto,
} from './page-token.ts';

const tokenAfter = (list: string, position: string) =>
  nextPageTokenToProto(list, { rows: ['first', position], hasMore: true }, (row) => row);

test('a token leads to the row after which the next page begins', () => {
  expect(pageTokenFromProto('teams', tokenAfter('teams', 'acme-2'))).toBe('acme-2');
});

test('the last page has no token, and no token is the beginning', () => {
  expect(nextPageTokenToProto('teams', { rows: ['acme'], hasMore: false }, (row) => row)).toBe('');
  expect(pageTokenFromProto('teams', '')).toBe('');
});

test('tokens of another list, damaged or made up, are refused', () => {
  const token = tokenAfter('members/t1', 'ada');
  const raw = (text: string) => Buffer.from(text).toString('base64url');
  const bad = [
    tokenAfter('members/t2', 'ada'),
    tokenAfter('keys/t1', 'ada'),
    token.slice(0, -1),
    `${token}A`,
    `${token}=`,
    `${token}\n`,
    Buffer.from('members/t1 ada').toString('base64').concat('!'),
    raw('members/t1'),
    raw('members/t1 '),
    raw('members/t1 a b'),
    raw('members/t1 $gt'),
    raw(`members/t1 ${'a'.repeat(255)}`),
    'x'.repeat(1_000_000),
    '%00',
    '0',
  ];
  for (const text of bad) {
    expect(() => pageTokenFromProto('members/t1', text), text.slice(0, 80)).toThrowError(
      expect.objectContaining({ code: 'invalid_cursor' }),
    );
  }
});

test('a place among the keys survives the way there and back', () => {
  const position = { createdAt: 1_795_219_200_000, keyId: '0123456789ABCDEF' };
  expect(keyPositionFromProto(keyPositionToProto(position))).toEqual(position);
});

test('no place is before every key', () => {
  expect(keyPositionFromProto('')).toEqual({ createdAt: 0, keyId: '' });
});

test('anything else is refused', () => {
  for (const text of ['1', '.', '1.', '-1.0123456789ABCDEF', '1e3.0123456789ABCDEF', '1.0123456789ABCDE-']) {
    expect(() => keyPositionFromProto(text), text).toThrowError(
      expect.objectContaining({ code: 'invalid_cursor' }),
    );
  }
});
