import { create } from '@bufbuild/protobuf';
import { UsageRowSchema } from '@teammemory/proto/query/v1/query_pb.ts';
import { expect, test } from 'vitest';
import { asMoney, costByDay, sharesBy } from './usage.ts';

const row = (day: string, memberId: string, model: string, cost: bigint) =>
  create(UsageRowSchema, {
    day,
    memberId,
    model,
    calls: 2n,
    inputTokens: 10n,
    outputTokens: 5n,
    costMicroDollars: cost,
  });

const rows = [
  row('2026-11-20', 'ada', 'writer', 1_000_000n),
  row('2026-11-21', 'bob', 'writer', 250_000n),
  row('2026-11-21', 'ada', 'embedder', 50_000n),
];

test('shares are sums, the most expensive first', () => {
  expect(sharesBy(rows, ({ memberId }) => memberId)).toEqual([
    { name: 'ada', calls: 4, tokens: 30, cost: 1.05 },
    { name: 'bob', calls: 2, tokens: 15, cost: 0.25 },
  ]);
});

test('every day of the last thirty is there, also those without a cost', () => {
  const days = costByDay(rows, '2026-11-21');
  expect(days).toHaveLength(30);
  expect(days[0]).toEqual({ day: '2026-10-23', cost: 0 });
  expect(days.slice(-3)).toEqual([
    { day: '2026-11-19', cost: 0 },
    { day: '2026-11-20', cost: 1 },
    { day: '2026-11-21', cost: 0.3 },
  ]);
});

test('less than a cent is not shown as nothing', () => {
  expect([0, 0.004, 0.25, 12].map(asMoney).map((text) => text.replace(/[^\d.]/g, ''))).toEqual([
    ...['0.00', '0.004', '0.25', '12.00'],
  ]);
});
