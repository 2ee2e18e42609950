import { expect, test } from 'vitest';
import { noon, spendingOn, usageStoreInMemory } from './spending.fixture.ts';
import { createSweep } from './spending.ts';
import { type UsageQuery, usageReport } from './usage-report.ts';

const query: UsageQuery = { from: '', to: '', pageSize: 0, after: undefined };
const dayMs = 86_400_000;

async function setUp() {
  const usage = usageStoreInMemory();
  const spending = spendingOn(usage, { member: 1_000, team: 1_000 });
  for (const daysAgo of [30, 29, 0]) {
    spending.time.now = noon - daysAgo * dayMs;
    const charge = await spending.reserve({ teamId: 'team', memberId: 'ada' }, 'writer', {
      inputTokens: daysAgo + 1,
      outputTokens: 0,
    });
    if (daysAgo > 0) await charge.settle({ inputTokens: daysAgo, outputTokens: 0 });
  }
  return (changes: Partial<UsageQuery> = {}, now = noon) =>
    usageReport({ usage, sweep: createSweep(usage), clock: () => now }, 'team', { ...query, ...changes });
}

test('covers 30 days up to today unless it is told others', async () => {
  const report = await setUp();
  expect(await report()).toMatchObject({
    from: '2026-10-23',
    to: '2026-11-21',
    totals: [{ day: '2026-10-23', cost: 29 }],
    next: undefined,
  });
  const other = await report({ to: '2026-10-22' });
  expect(other).toMatchObject({ from: '2026-09-23', totals: [{ day: '2026-10-22', cost: 30 }] });
  expect((await report({ from: '2026-10-24' })).totals).toEqual([]);
});

test('charges what a dead process left open before it reports', async () => {
  const report = await setUp();
  const { totals } = await report({ from: '2026-11-21' }, noon + 10 * 60_000);
  expect(totals).toMatchObject([{ day: '2026-11-21', calls: 1, inputTokens: 1, cost: 1 }]);
});

test('comes in pages', async () => {
  const report = await setUp();
  const first = await report({ from: '2026-10-01', pageSize: 1 });
  expect(first).toMatchObject({ totals: [{ cost: 30 }], next: { day: '2026-10-22' } });
  const rest = await report({ from: '2026-10-01', pageSize: 1, after: first.next });
  expect(rest).toMatchObject({ totals: [{ cost: 29 }], next: undefined });
});

test.each([
  [{ from: '2026-02-30' }, '/from'],
  [{ to: 'today' }, '/to'],
  [{ from: '2026-11-22', to: '2026-11-21' }, '/from'],
])('refuses the days %j', async (days, pointer) => {
  const report = await setUp();
  await expect(report(days)).rejects.toMatchObject({ code: 'invalid_request', violations: [{ pointer }] });
});
