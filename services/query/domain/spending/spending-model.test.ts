import { modelRuns, modelTimeoutMs } from '@teammemory/testkit/environment.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noon, spendingOn, usageStoreInMemory } from './spending.fixture.ts';
import { dayOf, type UsageStore } from './usage-store.ts';

const caps = { member: 100, team: 160 };
const payers = ['ada', 'bob'] as const;
/** No call lasts so long. */
const hourMs = 60 * 60_000;

/** A call to a model that may use so many tokens, each of which costs a millionth of a dollar. */
const call = fc.record({
  memberId: fc.constantFrom(...payers),
  tokens: fc.integer({ min: 1, max: 60 }),
  /** Ended: with which part of its tokens. Never begun: released. Lost: its process died. */
  end: fc.constantFrom('ended', 'ended', 'never begun', 'lost'),
  part: fc.integer({ min: 0, max: 100 }),
});

/** A store whose answers come in the order that a scheduler chooses. */
function scheduled(store: UsageStore, scheduler: fc.Scheduler): UsageStore {
  return {
    ...store,
    reserve: scheduler.scheduleFunction(store.reserve),
    settle: scheduler.scheduleFunction(store.settle),
    release: scheduler.scheduleFunction(store.release),
    expired: scheduler.scheduleFunction(store.expired),
  };
}

const runs = modelRuns(200);
test(`in ${runs.numRuns} orders of calls at once no cap is passed, and each call is counted once`, {
  timeout: modelTimeoutMs(runs),
}, async () => {
  const calls = fc.array(call, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), calls, async (scheduler, all) => {
      const store = usageStoreInMemory();
      const spending = spendingOn(scheduled(store, scheduler), caps);
      const standing = (memberId?: string) => store.standing('team', dayOf(noon), memberId);
      const expected = { team: 0, ada: 0, bob: 0 };
      let counted = 0;
      const make = async ({ memberId, tokens, end, part }: (typeof all)[number]) => {
        const payer = { teamId: 'team', memberId };
        const worstCase = { inputTokens: tokens, outputTokens: 0 };
        const charge = await spending.reserve(payer, 'writer', worstCase).catch((error) => {
          expect(error).toMatchObject({ code: 'daily_cap_exceeded' });
        });
        const [team, member] = await Promise.all([standing(), standing(memberId)]);
        expect(team.spent + team.reserved).toBeLessThanOrEqual(caps.team);
        expect(member.spent + member.reserved).toBeLessThanOrEqual(caps.member);
        if (charge === undefined) return;
        if (end === 'never begun') return charge.release();
        const inputTokens = end === 'lost' ? tokens : Math.floor((tokens * part) / 100);
        expected.team += inputTokens;
        expected[memberId] += inputTokens;
        counted += 1;
        // Whoever ends a call twice, as where an answer was lost, is charged once.
        const settle = () => charge.settle({ inputTokens, outputTokens: 0 });
        if (end === 'ended') await Promise.all([settle(), settle(), charge.release()]);
      };
      await scheduler.waitFor(Promise.all(all.map(make)));
      // What the lost calls hold back is spent once it has expired and somebody asks.
      spending.time.now += hourMs;
      const asking = spending.reserve({ teamId: 'team' }, 'free', { inputTokens: 1, outputTokens: 0 });
      await scheduler.waitFor(asking.then((charge) => charge.release()));
      expect(await standing()).toEqual({ spent: expected.team, reserved: expect.any(Number) });
      for (const memberId of payers)
        expect(await standing(memberId)).toEqual({ spent: expected[memberId], reserved: 0 });
      const range = { from: dayOf(noon), to: dayOf(noon), after: undefined, limit: 10 };
      const totals = await store.totals('team', range);
      expect(totals.reduce((sum, total) => sum + total.calls, 0)).toBe(counted);
    }),
    runs,
  );
});
