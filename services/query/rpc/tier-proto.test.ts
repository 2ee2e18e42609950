import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { expect, test } from 'vitest';
import { tierFromProto, tierToProto } from './questions-proto.ts';

test('tiers survive the way there and back', () => {
  for (const tier of ['team', 'external'] as const) expect(tierFromProto(tierToProto(tier))).toBe(tier);
  expect(tierToProto('external')).toBe(Tier.EXTERNAL);
});

test('a tier that is unset or unknown is never taken for one', () => {
  for (const tier of [Tier.UNSPECIFIED, 3 as Tier]) {
    expect(() => tierFromProto(tier)).toThrowError(expect.objectContaining({ code: 'internal' }));
  }
});
