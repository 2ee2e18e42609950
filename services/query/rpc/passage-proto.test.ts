import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { expect, test } from 'vitest';
import { documentKey, noFields } from '../domain/passages/passage.ts';
import { passageToProto } from './questions-proto.ts';

test('a ranked passage keeps all that callers may see', () => {
  const shown = { title: 'A', ordinal: 3, headings: ['B'], text: 'c', kind: 'decision' } as const;
  const said = { date: '2026-05-01', status: 'accepted' };
  const rowKey = documentKey('decision', 'd1');
  const passage = {
    ...shown,
    rowKey,
    tier: 'team',
    fields: { ...noFields, ...said, isByGuest: true },
  } as const;
  const sent = { ...shown, ...said, rowKey: 'decisions/d1', tier: Tier.TEAM, score: 1.5, byGuest: true };
  expect(passageToProto({ passage, score: 1.5 })).toEqual(sent);
});
