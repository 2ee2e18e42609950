import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { expect, test } from 'vitest';
import { passageToProto } from './passage-proto.ts';

test('a ranked passage keeps all that callers may see', () => {
  const passage = {
    rowKey: 'a.md',
    title: 'A',
    tier: 'team',
    ordinal: 3,
    headings: ['B'],
    text: 'c',
  } as const;
  expect(passageToProto({ passage, score: 1.5 })).toEqual({
    ...passage,
    tier: Tier.TEAM,
    score: 1.5,
  });
});
