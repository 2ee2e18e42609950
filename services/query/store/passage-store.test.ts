import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { behavesAsOnSqlite } from '@teammemory/testkit/behaves-as-on-sqlite.ts';
import { describeEachEngine, type EngineStorage } from '@teammemory/testkit/describe-each-engine.ts';
import { type SeededRandom, seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PassageStore, storedItem } from '../domain/passages/passage-store.ts';
import { passageStoreInMemory } from '../domain/passages/passages.fixture.ts';
import { openQueryStores, type QueryStores } from './open-stores.ts';
import { passageStoreContract, rowOf } from './passage-store.contract.ts';

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

  // On SQLite a file of another form is made anew as a whole.
  if (engine.name === 'mongodb')
    test('a row that the earlier version wrote does not count, and is made anew at the same position', async () => {
      const storage = engine.storage();
      await stores.passages.replaceItems('team', [storedItem(rowOf('b.md', 4))]);
      await stores.passages.advanceCursor('team', 4);
      await writeAsEarlierVersion(storage, { rowKey: 'a.md', seq: 7 });
      await writeAsEarlierVersion(storage, { rowKey: 'b.md', seq: 8 });
      const shown = () => stores.passages.changesAfter('team', 0, { rows: 1, characters: 2 ** 30 });
      expect(await shown()).toEqual([]);
      expect(await stores.passages.findItem('team', 'b.md')).toBeUndefined();
      expect(await stores.passages.cursor('team')).toBe(4);
      await stores.passages.replaceItems('team', [storedItem(rowOf('b.md', 8))]);
      expect(await shown()).toEqual([storedItem(rowOf('b.md', 8))]);
      await stores.passages.replaceItems('team', [storedItem(rowOf('b.md', 8, { title: 'again' }))]);
      expect(await shown()).toEqual([storedItem(rowOf('b.md', 8))]);
    });

  test('are ready once open, and keep everything when they are closed and opened again', async () => {
    await stores.ready();
    await randomOperations(stores.passages, seededRandom(7));
    const before = await everything(stores.passages);
    await stores.close();
    stores = await openQueryStores(engine.storage());
    expect(await everything(stores.passages)).toEqual(before);
  });

  behavesAsOnSqlite(engine, {
    open: openQueryStores,
    stores: () => stores,
    operate: ({ passages }, random) => randomOperations(passages, random),
    rows: ({ passages }) => everything(passages),
  });
});

test('passages that an earlier version kept in query.sqlite are removed, and made again in a file of their own', async () => {
  const directory = await temporaryDirectory();
  const file = join(directory.path, 'query.sqlite');
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE passages (team_id TEXT NOT NULL, row_key TEXT NOT NULL, seq INTEGER NOT NULL,
      tier TEXT NOT NULL CHECK (tier IN ('team', 'external')), passages_json TEXT NOT NULL,
      PRIMARY KEY (team_id, row_key)) STRICT;
    CREATE TABLE cursors (team_id TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
    INSERT INTO passages VALUES ('team', 'a.md', 3, 'team', '{"title":"walnut","passages":[]}');
    INSERT INTO cursors VALUES ('team', 3);`);
  database.close();
  const { passages, close } = await openQueryStores({ engine: 'sqlite', directory: directory.path });
  expect(await passages.cursor('team')).toBe(0);
  expect(await passages.changesAfter('team', 0, { rows: 9, characters: 2 ** 30 })).toEqual([]);
  await close();
  expect(readFileSync(file).includes('walnut')).toBe(false);
  await directory.remove();
});

/** Writes a row of `team`, and how far its feed was followed, as the version did that knew no forms of rows. */
async function writeAsEarlierVersion(
  storage: EngineStorage,
  { rowKey, seq }: { rowKey: string; seq: number },
): Promise<void> {
  if (storage.engine !== 'mongodb') return;
  const json = '{"title":"as before","passages":[]}';
  const { db } = storage.connection;
  const row = { $set: { seq, tier: 'team', passages_json: json, writer_id: null } };
  await db.collection('passages').updateOne({ team_id: 'team', row_key: rowKey }, row, { upsert: true });
  const cursors = db.collection<{ _id: string; seq: number }>('cursors');
  await cursors.updateOne({ _id: 'team' }, { $max: { seq } }, { upsert: true });
}

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
