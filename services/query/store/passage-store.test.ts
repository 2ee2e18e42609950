import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { answersAsOnSqlite } from '@teammemory/testkit/answers-as-on-sqlite.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { type SeededRandom, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { passageStoreInMemory } from '../domain/passages/passage-store.fixture.ts';
import type { PassageStore } from '../domain/passages/passage-store.ts';
import { storedItem } from '../domain/passages/passages-json.ts';
import { openQueryStores } from './open-stores.ts';
import { passageStoreContract, rowOf } from './passage-store.contract.ts';
import type { QueryStores } from './query-stores.ts';

describe('the store in memory that tests of the domain use', () => {
  let store: PassageStore;
  beforeEach(() => {
    store = passageStoreInMemory();
  });
  passageStoreContract(() => store);
});

describeEachEngine('the query stores', (engine) => {
  let stores: QueryStores;
  beforeEach(async () => {
    stores = await openQueryStores(engine.storage());
  });
  afterEach(() => stores.close());

  passageStoreContract(() => stores.passages);

  test('are ready once open, and keep everything when they are closed and opened again', async () => {
    await stores.ready();
    await randomOperations(stores.passages, seededRandom(7));
    const before = await everything(stores.passages);
    await stores.close();
    stores = await openQueryStores(engine.storage());
    expect(await everything(stores.passages)).toEqual(before);
  });

  answersAsOnSqlite(engine, {
    open: openQueryStores,
    stores: () => stores,
    operate: ({ passages }, random) => randomOperations(passages, random),
    rows: ({ passages }) => everything(passages),
  });
});

test('a database from before writers were kept is opened, read and written', async () => {
  const directory = await temporaryDirectory();
  const open = () => openQueryStores({ engine: 'sqlite', directory: directory.path });
  const first = await open();
  await first.passages.replaceItems('team', [storedItem(rowOf('a.md', 1))]);
  await first.close();
  const database = new DatabaseSync(join(directory.path, 'query.sqlite'));
  database.exec('ALTER TABLE passages DROP COLUMN writer_id');
  database.close();

  const { passages, close } = await open();
  expect(await passages.changesAfter('team', 0, { rows: 9, characters: 2 ** 30 })).toEqual([
    storedItem(rowOf('a.md', 1)),
  ]);
  expect(await passages.writersOf('team', ['a.md'])).toEqual(new Map());
  await passages.replaceItems('team', [{ ...storedItem(rowOf('a.md', 2)), writerId: 'ada' }]);
  expect(await passages.writersOf('team', ['a.md'])).toEqual(new Map([['a.md', 'ada']]));
  await close();
  await directory.remove();
});

const teamIds = ['t0', 't1'];
/** Enough for each item to be replaced by older and newer states several times. */
const operationsPerSeed = 150;

/** Runs operations on few items, so that they collide, and tells what each answered. */
async function randomOperations(store: PassageStore, random: SeededRandom): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let index = 0; index < operationsPerSeed; index += 1) {
    const teamId = random.pick(teamIds);
    // Positions grow, but with a wide spread: one in several is older than what is stored.
    const seq = 1 + 10 * index + random.integerBelow(400);
    const items = ['a', 'b', 'c', 'd', 'e']
      .filter(() => random.chance(0.4))
      .map((key, place) => rowOf(key, seq + place));
    const operations = [
      () => store.replaceItems(teamId, items.map(storedItem)),
      () => store.advanceCursor(teamId, seq),
      () =>
        store.changesAfter(teamId, random.integerBelow(seq), {
          rows: 1 + random.integerBelow(4),
          characters: 2 ** 30,
        }),
      () => store.cursor(teamId),
    ];
    answers.push(await random.pick(operations)());
  }
  return answers;
}

function everything(store: PassageStore): Promise<unknown[]> {
  return Promise.all(
    teamIds.map(async (teamId) => [
      await store.cursor(teamId),
      await store.changesAfter(teamId, 0, { rows: 1_000, characters: 2 ** 30 }),
    ]),
  );
}
