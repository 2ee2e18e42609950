import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createRestore } from '@teammemory/backup/restore.ts';
import { describeEachEngine, type Engine } from '@teammemory/testkit/describe-each-engine.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { afterEach, expect, test } from 'vitest';
import { scanMetrics } from '../domain/domain.fixture.ts';
import type { MigratorStorage } from './migrator.fixture.ts';
import { openAnalyticsStores } from './open-stores.ts';
import { forgetScanSizes } from './scan-sizes.fixture.ts';
import { type ScanTexts, scanBytes } from './stored-rows.ts';

const program = fileURLToPath(new URL('migrator.fixture.ts', import.meta.url));
const scanCount = 1_500;
const kills = 5;
/** A process starts in a second, on a loaded machine in several times that. */
const patience = { withinMs: 30_000, everyMs: 2 };
const timeoutMs = 120_000;

interface Row extends ScanTexts {
  bytes: number | null;
}

const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

function start(storage: MigratorStorage): ChildProcess {
  const child = spawn(process.execPath, [program, JSON.stringify(storage)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.add(child);
  return child;
}

describeEachEngine('rows of the first versions', (engine) => {
  test(
    'are brought up to date once each process was killed in the middle, and not before all are, the data counts as such',
    async () => {
      await fill(engine, scanCount);
      const [storage, peek] = [storageOf(engine), peekOf(engine)];
      for (let kill = 0; kill < kills; kill += 1) {
        const before = await peek.left();
        // A file of SQLite has one process at a time; a database is changed by several at once.
        const processes = Array.from({ length: engine.name === 'mongodb' ? 2 : 1 }, () => start(storage));
        const gone = processes.map((child) => once(child, 'exit'));
        await eventually('it goes on', async () => (await peek.left()) < before, patience);
        for (const child of processes) child.kill('SIGKILL');
        await Promise.all(gone);
        const [left, version] = [await peek.left(), await peek.version()];
        expect(left).toBeGreaterThan(0);
        expect(version).toBe(0);
      }
      const last = [start(storage), ...(engine.name === 'mongodb' ? [start(storage)] : [])];
      expect(await Promise.all(last.map(async (child) => (await once(child, 'exit'))[0]))).toEqual(
        last.map(() => 0),
      );
      expect(await peek.version()).toBe(1);
      const rows = await peek.rows();
      expect(rows).toHaveLength(scanCount);
      expect(rows.filter((row) => row.bytes !== scanBytes(row))).toEqual([]);
      peek.close();
    },
    timeoutMs,
  );

  test('that come with a restore are brought up to date after it, also where the data had been for long', async () => {
    const stores = await openAnalyticsStores(engine.storage());
    await stores.migrated;
    await stores.close();
    const peek = peekOf(engine);
    await peek.age();

    const empty = await openAnalyticsStores(engine.storage());
    await empty.migrated;
    const restore = await createRestore(empty.backup);
    const id = randomUUID();
    await restore.begin(id);
    const old = {
      id: 's1',
      team_id: 'team',
      codebase_id: 'c',
      head_sha: '0'.repeat(40),
      version: 1,
      revision: 1,
      agentic_score: 1,
      metrics_json: '{}',
      contributions_json: '[]',
      issues_json: '[]',
      bytes: null,
      created_at: 1,
      updated_at: 1,
    };
    await restore.restore(id, 'scans', () => [old]);
    await restore.end(id);
    await empty.close();

    const next = await openAnalyticsStores(engine.storage());
    await next.migrated;
    expect((await peek.rows()).map(({ bytes }) => bytes)).toEqual([6]);
    await next.close();
    peek.close();
  });

  test('are not touched by a program whose record of them is damaged, which says so', async () => {
    await fill(engine, 1);
    const peek = peekOf(engine);
    for (const damage of [-1, 1.5, 2 ** 60]) {
      await peek.damage(damage);
      await expect(openAnalyticsStores(engine.storage())).rejects.toMatchObject({ code: 'unavailable' });
      expect(await peek.left()).toBe(1);
    }
    peek.close();
  });
});

/** Stores scans as a program did that knew no sizes. */
async function fill(engine: Engine, count: number): Promise<void> {
  const stores = await openAnalyticsStores(engine.storage());
  const scanOf = (n: number) => ({
    id: `s${n}`,
    codebaseId: 'c',
    contributions: [],
    issues: [],
    agenticScore: 1,
    version: 1,
    metrics: { ...scanMetrics(), headSha: String(n).padStart(40, '0') },
  });
  for (let n = 0; n < count; n += 1) await stores.scans.put('team', scanOf(n), n);
  await stores.close();
  await forgetScanSizes(engine.storage());
}

function storageOf(engine: Engine): MigratorStorage {
  const storage = engine.storage();
  if (storage.engine === 'sqlite') return storage;
  const server = mongoServerForTests();
  if ('reason' in server) throw new Error(server.reason);
  return { engine: 'mongodb', url: server.url, database: storage.connection.db.databaseName };
}

/** Looks at stored data, and changes it, beside the programs. */
function peekOf(engine: Engine) {
  const storage = engine.storage();
  const aDay = 25 * 60 * 60 * 1_000;
  if (storage.engine === 'mongodb') {
    const { db } = storage.connection;
    const records = db.collection<{ _id: string; version: number }>('schema_versions');
    return {
      left: () => db.collection('scans').countDocuments({ bytes: null }),
      version: async () => (await records.findOne({ _id: 'analytics' }))?.version,
      rows: () => db.collection<Row>('scans').find().toArray(),
      age: () => records.updateOne({ _id: 'analytics' }, { $set: { reached_at: Date.now() - aDay } }),
      damage: (value: number) =>
        records.updateOne({ _id: 'analytics' }, { $set: { readable_from: value } }, { upsert: true }),
      close: () => undefined,
    };
  }
  const database = new DatabaseSync(join(storage.directory, 'analytics.sqlite'));
  database.exec('PRAGMA busy_timeout=5000');
  const one = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0] as number;
  return {
    left: async () => one('SELECT count(*) FROM scans WHERE bytes IS NULL'),
    version: async () => one('SELECT version FROM schema_version'),
    rows: async () => database.prepare('SELECT * FROM scans').all() as unknown as Row[],
    age: async () => database.prepare('UPDATE schema_version SET reached_at = ?').run(Date.now() - aDay),
    async damage(value: number) {
      database.exec(`DROP TABLE IF EXISTS schema_version; CREATE TABLE schema_version
        (store TEXT PRIMARY KEY, version INTEGER, readable_from, reached_at INTEGER);`);
      database.prepare(`INSERT INTO schema_version VALUES ('analytics', 0, ?, 0)`).run(value);
    },
    close: () => database.close(),
  };
}
