import { expect, test } from 'vitest';
import { keyPositionFromProto, keyPositionToProto } from './key-position-proto.ts';

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
