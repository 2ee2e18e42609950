import { describe, expect, test } from 'vitest';
import { noon, spendingOn, usageStoreInMemory } from './spending.fixture.ts';
import { capsFrom, type Payer, type Spending } from './spending.ts';
import type { TokenUsage, UsageStore, UsageTotal } from './usage-store.ts';

test('caps are taken exactly, nothing included', () => {
  expect(capsFrom({ member: '0', team: '50.000001' })).toEqual({ member: 0, team: 50_000_001 });
});

test.each(['', 'five', '-1', '1e3', '0.0000001', '5 '])(
  'the cap %o is refused, by the name of its setting',
  (bad) => {
    expect(() => capsFrom({ member: bad, team: '1' })).toThrow(
      'Bad setting: DAILY_MEMBER_CAP_USD must be an amount',
    );
    expect(() => capsFrom({ member: '1', team: bad })).toThrow(
      'Bad setting: DAILY_TEAM_CAP_USD must be an amount',
    );
  },
);

const ada: Payer = { teamId: 'team', memberId: 'ada' };
const worst = { inputTokens: 60, outputTokens: 40 };
const midnight = Date.parse('2026-11-22T00:00:00.000Z');

function setUp(caps = { member: 200, team: 300 }) {
  const usage = usageStoreInMemory();
  const range = { from: '2026-11-01', to: '2026-11-30', after: undefined, limit: 100 };
  return { usage, spending: spendingOn(usage, caps), totals: () => usage.totals('team', range) };
}

/** What was refused, or undefined where it was let in. */
function refusal(spending: Spending, payer = ada, model = 'writer', usage: TokenUsage = worst) {
  return spending.reserve(payer, model, usage).then(
    () => undefined,
    (error) => ({ code: error.code, ...error.dailyCap }),
  );
}

describe('a cap', () => {
  test('lets in what fits to the micro-dollar, and tells what is used and when it ends', async () => {
    const { spending } = setUp();
    const charge = await spending.reserve(ada, 'writer', worst);
    await charge.settle({ inputTokens: 50, outputTokens: 49 });
    await spending.reserve(ada, 'writer', worst);
    expect(await refusal(spending, ada, 'writer', { inputTokens: 2, outputTokens: 0 })).toEqual({
      code: 'daily_cap_exceeded',
      scope: 'member',
      capMicroDollars: 200,
      spentMicroDollars: 199,
      resetAt: midnight,
    });
    expect(await refusal(spending, ada, 'writer', { inputTokens: 1, outputTokens: 0 })).toBeUndefined();
  });

  test('of the team holds for all its members together, and a refused one has spent nothing', async () => {
    const { spending } = setUp();
    for (const memberId of ['ada', 'bob', 'eve'])
      await spending.reserve({ teamId: 'team', memberId }, 'writer', worst);
    const dan = { teamId: 'team', memberId: 'dan' };
    expect(await refusal(spending, dan)).toMatchObject({ scope: 'team', spentMicroDollars: 300 });
    expect(await refusal(spending, { ...dan, teamId: 'other' })).toBeUndefined();
  });

  test('of nothing lets in what costs nothing, and nothing else', async () => {
    const { spending } = setUp({ member: 0, team: 0 });
    expect(await refusal(spending, ada, 'free')).toBeUndefined();
    expect(await refusal(spending, ada, 'embedder', { inputTokens: 1, outputTokens: 0 })).toMatchObject({
      scope: 'member',
      capMicroDollars: 0,
      spentMicroDollars: 0,
    });
  });

  test('of a member does not hold for calls in the name of the team', async () => {
    const { spending, totals } = setUp({ member: 0, team: 100 });
    const charge = await spending.reserve({ teamId: 'team' }, 'writer', worst);
    expect(await refusal(spending, { teamId: 'team' })).toMatchObject({ scope: 'team' });
    await charge.settle(worst);
    expect(await totals()).toMatchObject([{ memberId: '', cost: 100 }]);
  });

  test('that was lowered below what is spent still lets in what costs nothing', async () => {
    const { usage, spending } = setUp();
    await spending.reserve(ada, 'writer', worst);
    expect(await refusal(spendingOn(usage, { member: 1, team: 1 }), ada, 'free')).toBeUndefined();
  });

  test('lets nothing through while the store does not answer', async () => {
    const { usage } = setUp();
    const down = { ...usage, reserve: () => Promise.reject(new Error('down')) };
    await expect(spendingOn(down, { member: 200, team: 300 }).reserve(ada, 'free', worst)).rejects.toThrow(
      'down',
    );
  });
});

describe('a day', () => {
  test('turns at 00:00 UTC', async () => {
    const { spending } = setUp();
    await spending.reserve(ada, 'writer', { inputTokens: 200, outputTokens: 0 });
    spending.time.now = midnight - 1;
    expect(await refusal(spending)).toMatchObject({ resetAt: midnight });
    spending.time.now = midnight;
    expect(await refusal(spending)).toBeUndefined();
    expect(await refusal(spending)).toBeUndefined();
    expect(await refusal(spending)).toMatchObject({ resetAt: midnight + 86_400_000 });
  });

  test('has the calls that were reserved on it, whenever they end', async () => {
    const { spending, totals } = setUp();
    spending.time.now = midnight - 1;
    const charge = await spending.reserve(ada, 'writer', worst);
    spending.time.now = midnight + 1;
    await charge.settle(worst);
    expect(await totals()).toMatchObject([{ day: '2026-11-21', cost: 100 }]);
    expect(await refusal(spending, ada, 'writer', { inputTokens: 200, outputTokens: 0 })).toBeUndefined();
  });
});

describe('a charge', () => {
  const total = (changes: Partial<UsageTotal>) => ({ calls: 1, cost: 100, ...worst, ...changes });

  test.for([
    [
      'what the call used',
      { inputTokens: 10, outputTokens: 5 },
      { inputTokens: 10, outputTokens: 5, cost: 15 },
    ],
    [
      'nothing, where nothing was used',
      { inputTokens: 0, outputTokens: 0 },
      { inputTokens: 0, outputTokens: 0, cost: 0 },
    ],
    [
      'more of one kind within the worst case',
      { inputTokens: 90, outputTokens: 10 },
      { inputTokens: 90, outputTokens: 10 },
    ],
    ['the worst case for a report above it', { inputTokens: 61, outputTokens: 40 }, {}],
    ['the worst case for no number', { inputTokens: Number.NaN, outputTokens: 0 }, {}],
    ['the worst case for half a token', { inputTokens: 0.5, outputTokens: 0 }, {}],
    ['the worst case for less than nothing', { inputTokens: -1e6, outputTokens: 0 }, {}],
    ['the worst case for what is endless', { inputTokens: 1, outputTokens: Number.POSITIVE_INFINITY }, {}],
  ] as const)('is %s', async ([, reported, expected]) => {
    const { spending, totals } = setUp();
    await (await spending.reserve(ada, 'writer', worst)).settle(reported);
    expect(await totals()).toMatchObject([total(expected)]);
  });

  test('of a model that costs nothing has no more tokens than the worst case either', async () => {
    const { spending, totals } = setUp();
    const reported = { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: 0 };
    await (await spending.reserve(ada, 'free', worst)).settle(reported);
    expect(await totals()).toMatchObject([{ ...worst, cost: 0 }]);
  });

  test('that is released gives everything back', async () => {
    const { spending, totals } = setUp();
    await (await spending.reserve(ada, 'writer', { inputTokens: 200, outputTokens: 0 })).release();
    expect(await refusal(spending, ada, 'writer', { inputTokens: 200, outputTokens: 0 })).toBeUndefined();
    expect(await totals()).toEqual([]);
  });

  test('is ended once: what comes later changes nothing and harms nothing', async () => {
    const { spending, totals } = setUp();
    const charge = await spending.reserve(ada, 'writer', worst);
    await Promise.all([
      charge.settle({ inputTokens: 1, outputTokens: 1 }),
      charge.release(),
      charge.settle(worst),
    ]);
    await charge.release();
    expect(await totals()).toMatchObject([{ calls: 1, cost: 2 }]);
  });
});

describe('a call whose process died', () => {
  const expired = noon + 10 * 60_000;

  test('holds its worst case until then, and is charged it once its time is over', async () => {
    const { usage, spending, totals } = setUp();
    await spending.reserve(ada, 'writer', worst);
    const after = spendingOn(usage, { member: 200, team: 300 });
    after.time.now = expired - 1;
    await after.reserve({ teamId: 'team', memberId: 'bob' }, 'writer', worst);
    expect(await totals()).toEqual([]);
    after.time.now = expired;
    await after.reserve({ teamId: 'team', memberId: 'bob' }, 'writer', worst);
    expect(await totals()).toMatchObject([{ memberId: 'ada', calls: 1, cost: 100, ...worst }]);
    expect(await refusal(after, { teamId: 'team', memberId: 'eve' })).toMatchObject({ scope: 'team' });
    expect(await usage.expired('team', expired, 10)).toEqual([]);
  });

  test('is charged once by the many who ask at the same time after a crash, and keeps none of them waiting', async () => {
    const { usage, spending, totals } = setUp({ member: 5_000, team: 5_000 });
    for (let call = 0; call < 10; call += 1) await spending.reserve(ada, 'writer', worst);
    let settled = 0;
    const counted: UsageStore = {
      ...usage,
      settle(...call) {
        settled += 1;
        return usage.settle(...call);
      },
    };
    const after = spendingOn(counted, { member: 5_000, team: 5_000 });
    after.time.now = expired;
    await Promise.all(Array.from({ length: 20 }, () => after.reserve(ada, 'writer', worst)));
    expect(await totals()).toMatchObject([{ calls: 10, cost: 1_000 }]);
    expect(settled).toBe(10);
    after.time.now = 2 * expired;
    await after.reserve(ada, 'writer', worst);
    expect(settled).toBe(30);
  });

  test('and that ends after all has been charged already', async () => {
    const { spending, totals } = setUp();
    const charge = await spending.reserve(ada, 'writer', worst);
    spending.time.now = expired;
    await spending.reserve(ada, 'free', worst);
    await charge.settle({ inputTokens: 1, outputTokens: 0 });
    expect(await totals()).toMatchObject([{ calls: 1, cost: 100 }]);
  });
});
