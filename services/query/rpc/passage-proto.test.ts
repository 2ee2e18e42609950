import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { expect, test } from 'vitest';
import { passageToProto } from './passage-proto.ts';

test('a ranked passage keeps all that callers may see, and nothing of the index', () => {
  const passage = {
    rowKey: 'a.md',
    title: 'A',
    tier: 'team',
    ordinal: 3,
    headings: ['B'],
    text: 'c',
  } as const;
  expect(
    passageToProto({
      passage,
      score: 1.5,
      slot: 7,
      terms: Uint32Array.of(1),
      headLength: 0,
      relativeLength: 1,
    }),
  ).toEqual({
    ...passage,
    tier: Tier.TEAM,
    score: 1.5,
  });
});
