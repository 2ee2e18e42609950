import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { expect, test } from 'vitest';
import { documentKey, noFields } from '../domain/passages/passage.ts';
import { answerPartToProto, passageToProto, tierFromProto, tierToProto } from './questions-proto.ts';

test('tiers survive the way there and back', () => {
  for (const tier of ['team', 'external'] as const) expect(tierFromProto(tierToProto(tier))).toBe(tier);
  expect(tierToProto('external')).toBe(Tier.EXTERNAL);
});

test('a tier that is unset or unknown is never taken for one', () => {
  for (const tier of [Tier.UNSPECIFIED, 3 as Tier]) {
    expect(() => tierFromProto(tier)).toThrowError(expect.objectContaining({ code: 'internal' }));
  }
});

test('a ranked passage keeps all that callers may see', () => {
  const shown = { title: 'A', ordinal: 3, headings: ['B'], text: 'c', kind: 'decision' } as const;
  const said = { date: '2026-05-01', status: 'accepted' };
  const rowKey = documentKey('decision', 'd1');
  const passage = {
    ...shown,
    rowKey,
    tier: 'team',
    fields: { ...noFields, ...said, isByGuest: true, checkBy: '2027-03-01' },
  } as const;
  const marks = { byGuest: true, checkBy: '2027-03-01' };
  const sent = { ...shown, ...said, ...marks, rowKey: 'decisions/d1', tier: Tier.TEAM, score: 1.5 };
  expect(passageToProto({ passage, score: 1.5 })).toEqual(sent);
});

test('a delta and the sources become the two kinds of part', () => {
  expect(answerPartToProto({ kind: 'delta', text: 'A. [1]' })).toEqual({
    part: { case: 'delta', value: { text: 'A. [1]' } },
  });
  const item = { rowKey: 'a.md', title: 'A', tier: 'external' } as const;
  const said = { kind: 'decision', date: '2026-05-01', status: 'accepted' } as const;
  const guests = { ...item, ...said, isByGuest: true, checkBy: '2027-03-01', quote: 'Yes.' };
  const nothing = { kind: 'item', date: '', status: '', byGuest: false, checkBy: '', quote: '' };
  expect(answerPartToProto({ kind: 'sources', sources: [item, guests] })).toEqual({
    part: {
      case: 'sources',
      value: {
        sources: [
          { ...item, ...nothing, tier: Tier.EXTERNAL },
          { ...item, tier: Tier.EXTERNAL, ...said, byGuest: true, checkBy: '2027-03-01', quote: 'Yes.' },
        ],
        closest: [],
      },
    },
  });
});
