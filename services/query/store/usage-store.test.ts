import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { type SeededRandom, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { spendingOn, usageStoreInMemory } from '../domain/spending/spending.fixture.ts';
import type { Reservation, UsageStore } from '../domain/spending/usage-store.ts';
import { openQueryStores, type QueryStores } from './open-stores.ts';
import { reservationOf, spentOn, usageStoreContract } from './usage-store.contract.ts';

describe('the store in memory that tests of the domain use', () => {
  let store: UsageStore;
  beforeEach(() => {
    store = usageStoreInMemory();
  });
  usageStoreContract(() => store);
});

describeEachEngine('the store of usage', (engine) => {
  let stores: QueryStores;
  beforeEach(async () => {
    stores = await openQueryStores(engine.storage());
  });
  afterEach(() => stores.close());

  usageStoreContract(() => stores.usage);

  const openAnother = () => openQueryStores(engine.storage());

  test('200 questions at once through every process let in exactly those that the cap allows', async () => {
    // A file of SQLite has one process at a time; MongoDB is shared by several.
    const others = engine.name === 'mongodb' ? await Promise.all([openAnother(), openAnother()]) : [];
    const spendings = [stores, ...others].map(({ usage }) =>
      spendingOn(usage, { member: 1_000, team: 2_099 }),
    );
    const worstCase = { inputTokens: 60, outputTokens: 40 };
    const ask = (index: number) => {
      const spending = spendings[index % spendings.length];
      return spending?.reserve({ teamId: 'team', memberId: `m${index % 7}` }, 'writer', worstCase);
    };
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, (_, index) => ask(index)));
    const charges = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? (outcome.value ?? []) : [],
    );
    expect(charges).toHaveLength(20);
    expect(await spentOn(stores.usage, 'team')).toMatchObject({ team: 2_000 });
    await Promise.all(charges.map((charge) => charge.settle({ inputTokens: 1, outputTokens: 0 })));
    await Promise.all(charges.map((charge) => charge.release()));
    expect(await spentOn(stores.usage, 'team')).toMatchObject({ team: 20 });
  });

  test.for([1, 2, 3])(
    'random operations with seed %i answer and leave the same as the model',
    async (seed) => {
      const model = usageStoreInMemory();
      const expected = await randomOperations(model, seededRandom(seed));
      expect(await randomOperations(stores.usage, seededRandom(seed))).toEqual(expected);
      expect(await everything(stores.usage)).toEqual(await everything(model));
    },
  );

  test('what was reserved and settled is there when the store is closed and opened again', async () => {
    await randomOperations(stores.usage, seededRandom(4));
    const before = await everything(stores.usage);
    await stores.close();
    stores = await openQueryStores(engine.storage());
    expect(await everything(stores.usage)).toEqual(before);
  });
});

const teamIds = ['t0', 't1'];
const memberIds = ['', 'ada', 'bob'];
const days = ['2026-11-20', '2026-11-21'];
/** Enough for every cap to be reached and every reservation to be ended more than once. */
const operationsPerSeed = 120;

/** Runs operations on few days, so that they collide, and tells what each answered. */
async function randomOperations(store: UsageStore, random: SeededRandom): Promise<unknown[]> {
  const made: Reservation[] = [];
  const answers: unknown[] = [];
  for (let index = 0; index < operationsPerSeed; index += 1) {
    const reservation = reservationOf({
      id: `r${String(index).padStart(3, '0')}`,
      day: random.pick(days),
      memberId: random.pick(memberIds),
      model: random.pick(['gpt', 'embed']),
      amount: random.integerBelow(100),
      expiresAt: random.integerBelow(1_000),
    });
    const teamId = random.pick(teamIds);
    const some = random.pick([...made, reservation]);
    const usage = { inputTokens: random.integerBelow(60), outputTokens: random.integerBelow(40) };
    const cost = random.integerBelow(some.amount + 1);
    const limits = { member: 500, team: 900, open: 8 };
    const operations = [
      () => store.reserve(teamId, reservation, limits),
      () => store.reserve(teamId, reservation, limits),
      () => store.settle(teamId, some, usage, cost),
      () => store.release(teamId, some),
      () => store.expired(teamId, random.integerBelow(1_000), 1 + random.integerBelow(5)),
    ];
    made.push(reservation);
    answers.push(
      await random
        .pick(operations)()
        .catch((error: { code: string }) => error.code),
    );
  }
  return answers;
}

function everything(store: UsageStore): Promise<unknown[]> {
  const range = { from: '2026-11-01', to: '2026-11-30', after: undefined, limit: 1_000 };
  return Promise.all(
    teamIds.map(async (teamId) => ({
      totals: await store.totals(teamId, range),
      open: await store.expired(teamId, 10_000, 1_000),
      spent: await Promise.all(
        days.flatMap((day) => memberIds.map((memberId) => spentOn(store, teamId, day, memberId))),
      ),
    })),
  );
}
