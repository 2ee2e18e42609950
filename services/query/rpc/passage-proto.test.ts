import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { expect, test } from 'vitest';
import { noFields } from '../domain/passages/fields.ts';
import { passageToProto } from './passage-proto.ts';

test('a ranked passage keeps all that callers may see', () => {
  const shown = { rowKey: 'a.md', title: 'A', ordinal: 3, headings: ['B'], text: 'c' };
  const passage = { ...shown, tier: 'team', kind: 'item', fields: noFields } as const;
  expect(passageToProto({ passage, score: 1.5 })).toEqual({ ...shown, tier: Tier.TEAM, score: 1.5 });
});
