import { create } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { optionalTimestampFromProto, optionalTimestampToProto } from './timestamp-proto.ts';

test('moments and their absence survive the way there and back, to the millisecond', () => {
  for (const ms of [null, 0, 1, 1_795_219_200_123, 253_402_300_799_999]) {
    expect(optionalTimestampFromProto(optionalTimestampToProto(ms))).toBe(ms);
  }
});

test('a moment beyond any calendar is a number that no rule accepts, not a crash', () => {
  const timestamp = create(TimestampSchema, { seconds: 2n ** 63n - 1n, nanos: -1 });
  expect(optionalTimestampFromProto(timestamp)).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
});
