import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { describeEachEngine, type EngineStorage } from '@teammemory/testkit/describe-each-engine.ts';
import { describeOnMongo } from '@teammemory/testkit/describe-on-mongo.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedRow } from '../domain/feed/feed-row.fixture.ts';
import type { FeedChange, FeedStore } from '../domain/feed/feed-store.ts';
import { wholeTeam } from '../domain/feed/quota.ts';
import { repairUsage, startUsageRepair } from '../domain/feed/usage-repair.ts';
import { type ContentStores, openContentStores } from './open-stores.ts';

const owners = [wholeTeam, 'ada', 'ben'];

/** Rows of one hundred bytes each behind the head, in turn of ada and ben. */
async function changesOf(
  feed: FeedStore,
  rowKeys: readonly string[],
  teamId = 'team',
): Promise<FeedChange[]> {
  const { seq } = await feed.head(teamId);
  return rowKeys.map((rowKey, index) => {
    const owner = index % 2 === 0 ? 'ada' : 'ben';
    const charge = { owner, bytes: 100, keptBytes: 10 };
    return { row: storedRow(rowKey, seq + 1 + index, { charge }), previous: undefined };
  });
}

const usageOf = async (feed: FeedStore, teamId = 'team') =>
  Object.fromEntries(await feed.usage(teamId, owners));
const used = (rows: number) => ({ rows, texts: rows, bytes: 110 * rows });

/** Changes stored counts as nobody does who follows the rules. */
async function spoil(storage: EngineStorage): Promise<void> {
  if (storage.engine === 'mongodb') {
    const gone = { team_id: 'team', owner: 'gone', rows: 1, items: 1, bytes: 1 };
    const usages = storage.connection.db.collection<{ _id: string }>('item_usage');
    await usages.updateOne({ team_id: 'team', owner: 'ada' }, { $inc: { rows: 5, bytes: -70 } });
    await usages.deleteOne({ team_id: 'team', owner: 'ben' });
    await usages.updateOne({ team_id: 'team', owner: '' }, { $inc: { items: -1 } });
    await usages.deleteOne({ _id: 'team\ngone' });
    await usages.insertOne({ _id: 'team\ngone', ...gone } as never);
    return;
  }
  const database = new DatabaseSync(join(storage.directory, 'content.sqlite'));
  const ofTeam = "WHERE team_id = 'team' AND owner =";
  database.exec(`UPDATE item_usage SET rows = rows + 5, bytes = bytes - 70 ${ofTeam} 'ada';
    DELETE FROM item_usage ${ofTeam} 'ben'; UPDATE item_usage SET items = items - 1 ${ofTeam} '';
    INSERT OR REPLACE INTO item_usage (team_id, owner, rows, items, bytes) VALUES ('team', 'gone', 1, 1, 1);`);
  database.close();
}

describeEachEngine('what owners have', (engine) => {
  let stores: ContentStores;
  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
  });
  afterEach(() => stores.close());

  test('is counted again where it is wrong, of every owner, and of no other team', async () => {
    const { items } = stores;
    await items.append('team', await changesOf(items, ['a', 'b', 'c']), 0);
    await items.append('other', await changesOf(items, ['a'], 'other'), 0);
    expect(await items.recount('team')).toBe('right');
    const right = { [wholeTeam]: used(3), ada: used(2), ben: used(1) };
    expect(await usageOf(items)).toEqual(right);
    await spoil(engine.storage());
    expect(await usageOf(items)).not.toEqual(right);
    expect(await items.recount('team')).toBe('repaired');
    expect(await usageOf(items)).toEqual(right);
    expect((await items.usage('team', ['gone'])).get('gone')?.rows ?? 0).toBe(0);
    expect(await items.recount('team')).toBe('right');
    await items.append('team', await changesOf(items, ['d']), 0);
    expect(await usageOf(items)).toMatchObject({ [wholeTeam]: used(4), ada: used(3) });
    expect(await items.recount('other')).toBe('right');
    expect(await items.recount('nobody')).toBe('right');
  });

  test('is counted again for all teams by an administrator, and at the start for those that were written last', async () => {
    const { items, marks } = stores;
    for (const team of ['team', 'team 2', 'team 3'])
      await items.append(team, await changesOf(items, ['a', 'b'], team), 0);
    await spoil(engine.storage());
    let nowMs = 0;
    const clock = () => {
      nowMs += 1_500;
      return nowMs;
    };
    const { signal } = new AbortController();
    const first = await repairUsage({ feeds: stores, clock }, '', signal);
    expect(first).toEqual({ checked: 2, repaired: 1, busy: 0, nextTeamId: 'team 2' });
    const rest = await repairUsage({ feeds: stores, clock: () => 0 }, first.nextTeamId, signal);
    expect(rest).toEqual({ checked: 1, repaired: 0, busy: 0, nextTeamId: '' });
    await spoil(engine.storage());
    const repaired: string[] = [];
    const onRepaired = (teamId: string) => void repaired.push(teamId);
    const end = startUsageRepair({ marks, feeds: stores, onRepaired, onError: onRepaired as never });
    await eventually('the team is right again', () => repaired.length > 0);
    await end();
    expect(repaired).toEqual(['team']);
    expect(await items.recount('team')).toBe('right');
  });
});

/** A connection whose counts wait for a gate; `waits` resolves when one does. */
function withSlowCounts(connection: MongoConnection) {
  const [gate, waits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const db = new Proxy(connection.db, {
    get(target, name) {
      if (name !== 'collection') return Reflect.get(target, name).bind(target);
      return (collection: string) => {
        const found = target.collection(collection);
        if (collection !== 'item_usage') return found;
        const write = found.bulkWrite.bind(found);
        found.bulkWrite = async (...given) => {
          waits.resolve();
          await gate.promise;
          return write(...given);
        };
        return found;
      };
    },
  });
  return { slow: { ...connection, db }, open: gate.resolve, waits: waits.promise };
}

describeOnMongo('what owners have', (connection) => {
  const right = { [wholeTeam]: used(3), ada: used(2), ben: used(1) };

  test('is right after a recount between rows and their count, which then adds nothing twice', async () => {
    const { slow, open, waits } = withSlowCounts(connection());
    const [writer, other] = await Promise.all(
      [slow, connection()].map((each) => openContentStores({ engine: 'mongodb', connection: each })),
    );
    if (writer === undefined || other === undefined) throw new Error('two stores were opened');
    await other.items.append('team', await changesOf(other.items, ['a']), 0);
    const writing = writer.items.append('team', await changesOf(writer.items, ['b', 'c']), 0);
    await waits;
    expect(await other.items.recount('team')).toBe('repaired');
    const counted = { [wholeTeam]: used(3), ada: used(2), ben: used(1) };
    expect(await usageOf(other.items)).toEqual(counted);
    open();
    expect(await writing).toBe(2);
    expect(await usageOf(other.items)).toEqual(counted);
    await writer.items.append('team', await changesOf(writer.items, ['d']), 0);
    expect(await usageOf(other.items)).toMatchObject({ [wholeTeam]: used(4), ada: used(3) });
    expect(await other.items.recount('team')).toBe('right');
  });

  test('is right after a recount in the middle of a write: what came after it is added', async () => {
    const { slow, open, waits } = withSlowCounts(connection());
    const { items } = await openContentStores({ engine: 'mongodb', connection: slow });
    const writing = items.append('team', await changesOf(items, ['a', 'b', 'c']), 0);
    await waits;
    // As a recount stores that saw two of the three.
    const usages = connection().db.collection<{ _id: string }>('item_usage');
    const ofOne = { team_id: 'team', rows: 1, items: 1, bytes: 110, counted_seq: 2 };
    await usages.insertMany([
      { ...ofOne, _id: 'team\n', owner: '', rows: 2, items: 2, bytes: 220 } as never,
      { ...ofOne, _id: 'team\nada', owner: 'ada' } as never,
      { ...ofOne, _id: 'team\nben', owner: 'ben' } as never,
    ]);
    open();
    await writing;
    expect(await usageOf(items)).toEqual(right);
  });

  test('is right after recounts beside writers in two processes', async () => {
    const two = await Promise.all(
      [0, 1].map(() => openContentStores({ engine: 'mongodb', connection: connection() })),
    );
    const writers = two.map(async ({ items }, process) => {
      for (let row = 0; row < 12; ) {
        const written = await items.append('team', await changesOf(items, [`${process} ${row}`]), 0);
        row += written;
      }
    });
    const recounts = two.map(async ({ items }) => [await items.recount('team'), await items.recount('team')]);
    await Promise.all([...writers, ...recounts]);
    const [one] = two;
    expect(await one?.items.recount('team')).toBe('right');
    expect((await one?.items.usage('team', owners))?.get(wholeTeam)).toEqual(used(24));
  });
});
