import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { expect, test } from 'vitest';
import { answerPartToProto } from './questions-proto.ts';

test('a delta and the sources become the two kinds of part', () => {
  expect(answerPartToProto({ kind: 'delta', text: 'A. [1]' })).toEqual({
    part: { case: 'delta', value: { text: 'A. [1]' } },
  });
  const item = { rowKey: 'a.md', title: 'A', tier: 'external' } as const;
  const said = { kind: 'decision', date: '2026-05-01', status: 'accepted' } as const;
  const guests = { ...item, ...said, isByGuest: true, quote: 'Yes.' };
  expect(answerPartToProto({ kind: 'sources', sources: [item, guests] })).toEqual({
    part: {
      case: 'sources',
      value: {
        sources: [
          { ...item, tier: Tier.EXTERNAL, kind: 'item', date: '', status: '', byGuest: false, quote: '' },
          { ...item, tier: Tier.EXTERNAL, ...said, byGuest: true, quote: 'Yes.' },
        ],
        closest: [],
      },
    },
  });
});
