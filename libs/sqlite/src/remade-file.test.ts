import fs, { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSqliteDatabase } from './sqlite-database.ts';

let directory: TemporaryDirectory;
let file: string;
let start: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  file = join(directory.path, 'made.sqlite');
  start = 'one start';
  const read = fs.readFileSync;
  vi.spyOn(fs, 'readFileSync').mockImplementation(((path: string, ...rest: []) =>
    path === '/proc/sys/kernel/random/boot_id' ? start : read(path, ...rest)) as typeof read);
  for (const name of ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync'] as const)
    vi.spyOn(fs, name).mockImplementation(() => expect.unreachable(`${name} was called`));
  syncBuiltinESMExports();
});
afterEach(async () => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await directory.remove();
});

/** Opens the file, and returns the rows that it has, before it gets another one. */
async function rowsBeforeOneMore(form = 'a'): Promise<number> {
  const schema = 'CREATE TABLE IF NOT EXISTS rows (text TEXT NOT NULL) STRICT';
  const database = openSqliteDatabase({ file, schema, remadeForm: form });
  const { rows } = database.prepare('SELECT count(*) AS rows FROM rows').get() as { rows: number };
  await database.write(() => database.prepare("INSERT INTO rows VALUES ('x')").run());
  expect(database.prepare('SELECT count(*) AS rows FROM rows').get()).toEqual({ rows: rows + 1 });
  await database.close();
  return rows;
}

test('a file that can be made again keeps its rows without a sync until the machine starts again or its form changes', async () => {
  expect([await rowsBeforeOneMore(), await rowsBeforeOneMore()]).toEqual([0, 1]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  start = 'another start';
  expect([await rowsBeforeOneMore(), await rowsBeforeOneMore()]).toEqual([0, 1]);
  expect([await rowsBeforeOneMore('b'), await rowsBeforeOneMore('b')]).toEqual([0, 1]);
});

test('a file of which a power loss left only a part is made again', async () => {
  await rowsBeforeOneMore();
  const whole = readFileSync(file);
  for (const bytes of [0, 50, 4_096]) {
    start += '.';
    writeFileSync(file, whole);
    truncateSync(file, bytes);
    writeFileSync(`${file}-wal`, whole.subarray(0, 3_000));
    expect(await rowsBeforeOneMore()).toBe(0);
  }
});
