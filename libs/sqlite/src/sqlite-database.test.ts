import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS parts (
    row_id INTEGER NOT NULL REFERENCES rows (id) DEFERRABLE INITIALLY DEFERRED
  ) STRICT;
`;

let directory: TemporaryDirectory;
let database: SqliteDatabase;

const open = () => openSqliteDatabase({ file: join(directory.path, 'test.db'), schema });
const insert = (id: number) => () => Number(database.prepare('INSERT INTO rows VALUES (?)').run(id).changes);
const ids = () =>
  database
    .prepare('SELECT id FROM rows ORDER BY id')
    .all()
    .map(({ id }) => id);

beforeEach(async () => {
  directory = await temporaryDirectory();
  database = open();
});
afterEach(async () => {
  await database.close();
  await directory.remove();
});

test('what was acknowledged is there after the file is opened again', async () => {
  expect(await database.write(insert(1))).toBe(1);
  await database.close();
  database = open();
  expect(ids()).toEqual([1]);
});

test('columns that a table of an earlier version lacks are added, before indexes that name them', async () => {
  await database.write(insert(1));
  const newer = `
    CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, name TEXT, bytes INTEGER NOT NULL DEFAULT 7) STRICT;
    CREATE TABLE IF NOT EXISTS others (id INTEGER, name TEXT) STRICT;
    CREATE INDEX IF NOT EXISTS rows_name ON rows (name);
  `;
  const addedColumns = {
    rows: ['id INTEGER', 'name TEXT', 'bytes INTEGER NOT NULL DEFAULT 7'],
    others: ['name TEXT'],
  };
  const file = join(directory.path, 'test.db');
  await database.close();
  // The second start finds them there.
  for (const _start of [1, 2]) {
    database = openSqliteDatabase({ file, schema: newer, addedColumns });
    expect(database.prepare('SELECT * FROM rows').all()).toEqual([{ id: 1, name: null, bytes: 7 }]);
    expect(database.prepare('SELECT id, name FROM others').all()).toEqual([]);
    await database.close();
  }
  database = open();
});

test('jobs of one turn share a transaction, in order, and are seen only after it', async () => {
  let commits = 0;
  // A connection of its own sees what is committed: it counts how often that changes.
  const observer = open();
  const versionOf = () => observer.prepare('PRAGMA data_version').get()?.data_version;
  let version = versionOf();
  const writes = [3, 1, 2].map(async (id) => {
    await database.write(insert(id));
    if (versionOf() !== version) {
      commits += 1;
      version = versionOf();
    }
  });
  expect(ids()).toEqual([]);
  await Promise.all(writes);
  await observer.close();
  expect([ids(), commits]).toEqual([[1, 2, 3], 1]);
});

test('more jobs than one transaction takes are all done', async () => {
  await Promise.all(Array.from({ length: 1_000 }, (_, id) => database.write(insert(id))));
  expect(ids()).toHaveLength(1_000);
});

test('jobs that take long leave the others to later transactions, and the event loop turns in between', async () => {
  const longJob = (id: number) => () => {
    const endMs = performance.now() + 15;
    while (performance.now() < endMs) insert(id);
    return insert(id)();
  };
  const order: string[] = [];
  const jobs = [1, 2, 3].map((id) => database.write(longJob(id)).then(() => order.push(`job ${id}`)));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  while (order.filter((entry) => entry.startsWith('job')).length < jobs.length) {
    await turn();
    order.push('turn');
  }
  await Promise.all(jobs);
  expect(order.filter((entry) => entry.startsWith('job'))).toEqual(['job 1', 'job 2', 'job 3']);
  expect(order.slice(order.indexOf('job 1'), order.indexOf('job 2'))).toContain('turn');
  expect(order.slice(order.indexOf('job 2'), order.indexOf('job 3'))).toContain('turn');
});

test('a job that throws undoes itself alone', async () => {
  const fault = new Error('changed its mind');
  const results = await Promise.allSettled([
    database.write(insert(1)),
    database.write(() => {
      insert(2)();
      throw fault;
    }),
    database.write(insert(1)),
    database.write(insert(3)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: fault });
  expect(ids()).toEqual([1, 3]);
});

test('a commit that fails fails every job in it, and no later one', async () => {
  const orphan = () => database.prepare('INSERT INTO parts VALUES (404)').run();
  const group = await Promise.allSettled([database.write(insert(1)), database.write(orphan)]);
  expect(group.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(ids()).toEqual([]);
  await database.write(insert(2));
  expect(ids()).toEqual([2]);
});

test('jobs that wait are bounded', async () => {
  let done = 0;
  const nothing = () => {
    done += 1;
  };
  const waiting = Array.from({ length: 20_000 }, () => database.write(nothing));
  await expect(database.write(nothing)).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all(waiting);
  expect(done).toBe(20_000);
});

test('closing finishes the jobs that wait', async () => {
  const writes = Promise.all(Array.from({ length: 600 }, (_, id) => database.write(insert(id))));
  await database.close();
  await writes;
  database = open();
  expect(ids()).toHaveLength(600);
});

test('a write after closing is refused, and harms nothing', async () => {
  const closing = database.close();
  await expect(database.write(insert(1))).rejects.toMatchObject({ code: 'unavailable' });
  await closing;
  await expect(database.write(insert(1))).rejects.toMatchObject({ code: 'unavailable' });
  database = open();
  expect(ids()).toEqual([]);
});

test('the time of each commit is measured, by file', async () => {
  const metrics = createMetrics();
  const measured = openSqliteDatabase({ file: join(directory.path, 'slow.db'), schema, metrics });
  const { exec } = DatabaseSync.prototype;
  const slow = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
    this: DatabaseSync,
    sql,
  ) {
    if (sql === 'COMMIT') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    exec.call(this, sql);
  });
  onTestFinished(() => slow.mockRestore());
  await measured.write(() => undefined);
  await measured.close();
  const text = await metrics.registry.metrics();
  expect(text).toContain('teammemory_sqlite_commit_seconds_count{file="slow.db"} 1\n');
  expect(Number(/_commit_seconds_sum\{file="slow.db"\} (.*)/.exec(text)?.[1])).toBeGreaterThan(0.29);
});

test('a statement is compiled once', () => {
  expect(database.prepare('SELECT 1')).toBe(database.prepare('SELECT 1'));
});

test('a file that is no database is refused in one sentence', async () => {
  const file = join(directory.path, 'text.db');
  await writeFile(file, 'not a database, but long enough to be looked at as one'.repeat(100));
  expect(() => openSqliteDatabase({ file, schema })).toThrow(
    expect.objectContaining({
      code: 'unavailable',
      message: `The database file ${file} cannot be opened, or is not one of this service.`,
    }),
  );
});
