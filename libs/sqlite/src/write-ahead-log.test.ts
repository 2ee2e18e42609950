import { spawnSync } from 'node:child_process';
import fs, { readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS texts (text TEXT NOT NULL) STRICT;
`;
const longBytes = 4 * 2 ** 20;

let directory: TemporaryDirectory;
let file: string;
let database: SqliteDatabase;

const insert = (id: number) => () => void database.prepare('INSERT INTO rows VALUES (?)').run(id);
const insertText = (text: string) => () => void database.prepare('INSERT INTO texts VALUES (?)').run(text);
const idsIn = (all: () => Record<string, unknown>[]) => all().map(({ id }) => id);
const ids = () => idsIn(() => database.prepare('SELECT id FROM rows ORDER BY id').all());
/** Each round of the log has its own. */
const saltOfLog = () => readFileSync(`${file}-wal`).subarray(16, 24).toString('hex');

beforeEach(async () => {
  directory = await temporaryDirectory();
  file = join(directory.path, 'test.db');
  database = openSqliteDatabase({ file, schema });
});
afterEach(async () => {
  await database.close();
  await directory.remove();
});

/** A disk on which no sync ends until it is told to. */
function holdSyncs() {
  const held: (() => void)[] = [];
  for (const name of ['fsync', 'fdatasync'] as const) {
    const real = fs[name];
    vi.spyOn(fs, name).mockImplementation((descriptor, done) => void held.push(() => real(descriptor, done)));
  }
  syncBuiltinESMExports();
  const next = () => eventually('a sync to be asked for', () => held.shift());
  return {
    /** Waits for the next sync, and returns what ends it. */
    next,
    waiting: () => held.length,
    async end() {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
      for (const finish of held.splice(0)) finish();
    },
  };
}

describe('while the disk works', () => {
  let disk: ReturnType<typeof holdSyncs>;
  beforeEach(() => {
    disk = holdSyncs();
  });
  afterEach(() => disk.end());

  test('jobs see their writes at once, and all others see them when they are on the disk', async () => {
    const first = database.write(insert(1));
    const finish = await disk.next();
    expect(ids()).toEqual([]);
    expect([...database.prepare('SELECT id FROM rows').iterate()]).toEqual([]);
    expect(database.prepare('SELECT id FROM rows').get()).toBeUndefined();
    const second = database.write(() => {
      insert(2)();
      return ids();
    });
    finish();
    await first;
    expect(ids()).toEqual([1]);
    (await disk.next())();
    expect(await second).toEqual([1, 2]);
    expect(ids()).toEqual([1, 2]);
  });

  test('jobs that come share the next sync, and are answered in their order', async () => {
    const order: number[] = [];
    const write = (id: number) => database.write(insert(id)).then(() => order.push(id));
    const writes = [write(3)];
    const finish = await disk.next();
    writes.push(write(1), write(2));
    expect(order).toEqual([]);
    finish();
    const finishSecond = await disk.next();
    expect([order, ids()]).toEqual([[3], [3]]);
    finishSecond();
    await Promise.all(writes);
    expect([order, disk.waiting()]).toEqual([[3, 1, 2], 0]);
  });

  test('jobs that change nothing wait for no sync of their own', async () => {
    expect(await database.write(ids)).toEqual([]);
    expect(disk.waiting()).toBe(0);
  });

  test('a log that is long is moved to the database with reads going on, and begun anew only when that is on the disk', async () => {
    const text = 'x'.repeat(longBytes);
    const write = database.write(insertText(text));
    (await disk.next())();
    await write;
    const finishDatabase = await disk.next();
    const waiting = database.write(insert(1));
    const round = saltOfLog();
    expect(database.prepare('SELECT length(text) AS length FROM texts').get()).toEqual({ length: longBytes });
    expect(saltOfLog()).toEqual(round);
    finishDatabase();
    const finishLog = await disk.next();
    expect(saltOfLog()).not.toEqual(round);
    expect(database.prepare('SELECT length(text) AS length FROM texts').get()).toEqual({ length: longBytes });
    expect(ids()).toEqual([]);
    finishLog();
    (await disk.next())();
    await waiting;
    expect(ids()).toEqual([1]);
  });

  test('a disk that does not answer for half a minute is no longer called ready', async () => {
    const write = database.write(insert(1));
    const finish = await disk.next();
    await database.ready();
    const later = performance.now() + 31_000;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
    onTestFinished(() => clock.mockRestore());
    await expect(database.ready()).rejects.toMatchObject({ code: 'unavailable' });
    finish();
    await write;
    await database.ready();
  });

  test('closing waits for the disk', async () => {
    const write = database.write(insert(1));
    const finish = await disk.next();
    let isClosed = false;
    const closing = database.close().then(() => {
      isClosed = true;
    });
    expect(ids()).toEqual([]);
    expect(isClosed).toBe(false);
    finish();
    await Promise.all([write, closing]);
    await disk.end();
    database = openSqliteDatabase({ file, schema });
    expect(ids()).toEqual([1]);
  });
});

test('the log does not grow past its length and a group, and is written again from its beginning', async () => {
  const text = 'x'.repeat(longBytes / 8);
  const sizes = new Set<number>();
  for (let count = 0; count < 40; count += 1) {
    await database.write(insertText(text));
    sizes.add(statSync(`${file}-wal`).size);
  }
  expect(Math.max(...sizes)).toBeLessThan(longBytes * 1.25);
  expect(database.prepare('SELECT count(*) AS texts FROM texts').get()).toEqual({ texts: 40 });
});

test('what was removed is in no file after a scrub, also of many at once', async () => {
  await database.write(insertText('marmalade'));
  await database.write(() => void database.prepare('DELETE FROM texts').run());
  await Promise.all([database.scrub(), database.write(insert(1)), database.scrub()]);
  for (const path of [file, `${file}-wal`]) expect(readFileSync(path).includes('marmalade')).toBe(false);
  expect(ids()).toEqual([1]);
});

test('a new log is begun by SQLite, which syncs its name too', async () => {
  await database.close();
  database = openSqliteDatabase({ file, schema });
  await database.write(() => undefined);
  await database.scrub();
  expect(statSync(`${file}-wal`).size).toBe(0);
});

test('a scrub is refused while another program reads the file, and writes go on', async () => {
  await database.write(insert(1));
  const other = new DatabaseSync(file);
  const idsOfOther = () => idsIn(() => other.prepare('SELECT id FROM rows ORDER BY id').all());
  other.exec('BEGIN');
  expect(idsOfOther()).toEqual([1]);
  await database.write(insert(2));
  await expect(database.scrub()).rejects.toMatchObject({ code: 'unavailable' });
  await database.write(insert(3));
  expect(idsOfOther()).toEqual([1]);
  other.exec('COMMIT');
  await database.scrub();
  await database.write(insert(4));
  expect([idsOfOther(), ids()]).toEqual([
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ]);
  other.close();
});

test('what writes outside of a job is refused, because nobody would sync it', () => {
  expect(() => insert(1)()).toThrow('what writes has to run in a job');
  expect(ids()).toEqual([]);
});

describe('a process that ends between a commit and its sync', () => {
  const run = (ending: 'fail' | 'kill') => {
    const path = join(directory.path, 'ended.db');
    const program = join(import.meta.dirname, 'ending-sync.fixture.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, path, ending], {
      encoding: 'utf8',
    });
    return { path, status, stdout, stderr };
  };
  /** What the next process reads, and what it has written again and then synced before that. */
  function afterwards(path: string) {
    const left = statSync(`${path}-wal`).size;
    const written = vi.spyOn(fs, 'writeSync');
    const synced = vi.spyOn(fs, 'fsyncSync');
    syncBuiltinESMExports();
    const again = openSqliteDatabase({ file: path, schema });
    const bytes = written.mock.results.reduce((sum, { value }) => sum + Number(value), 0);
    const lastWrite = written.mock.invocationCallOrder.at(-1);
    const firstSync = synced.mock.invocationCallOrder[0];
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    const isRewritten = bytes === left && Number(lastWrite) < Number(firstSync);
    return { again, isRewritten, ids: idsIn(() => again.prepare('SELECT id FROM rows').all()) };
  }

  test('says so in a sentence where the disk refused, and the next one does not trust what the system has in memory', async () => {
    const { path, ...ended } = run('fail');
    expect(ended).toEqual({
      status: 1,
      stdout: 'acknowledged 1\n',
      stderr: `The disk did not take what was written to ${path} (EIO: i/o error, fdatasync), so the program ends.\n`,
    });
    const { again, ids, isRewritten } = afterwards(path);
    expect([ids, isRewritten]).toEqual([[1, 2], true]);
    await again.close();
  });

  test('leaves what the next one syncs before it shows it', async () => {
    const { path, status, stdout } = run('kill');
    expect([status, stdout]).toEqual([null, 'acknowledged 1\n']);
    const { again, ids, isRewritten } = afterwards(path);
    expect([ids, isRewritten]).toEqual([[1, 2], true]);
    await again.close();
  });
});
