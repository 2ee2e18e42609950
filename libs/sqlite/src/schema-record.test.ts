import { join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqliteSchemaRecords } from './schema-record.ts';
import { openSqliteDatabase } from './sqlite-database.ts';

let directory: TemporaryDirectory;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

function open(version: number, readableFrom: number, schema = '') {
  const storeSchema = { store: 'things', version, readableFrom };
  const file = join(directory.path, 'things.sqlite');
  const database = openSqliteDatabase({ file, schema, version: storeSchema });
  return { database, records: sqliteSchemaRecords(database, storeSchema) };
}

test('a file keeps the version that its rows reached, and since when', async () => {
  const { database, records } = open(1, 0);
  expect(await records.read()).toEqual({ version: 0, readableFrom: 0, reachedAt: 0 });
  await records.reached(1, 10);
  await records.reached(1, 20);
  expect(await records.read()).toEqual({ version: 1, readableFrom: 0, reachedAt: 10 });
  await database.close();
  const next = open(2, 1);
  await next.records.reached(2, 30);
  expect(await next.records.read()).toEqual({ version: 2, readableFrom: 1, reachedAt: 30 });
  await next.database.close();
});

test('a file of a newer program is refused before anything in it is changed', async () => {
  await open(3, 2).database.close();
  const create = 'CREATE TABLE made (id INTEGER) STRICT;';
  expect(() => open(1, 1, create)).toThrow(expect.objectContaining({ code: 'unavailable' }));
  const { database } = open(3, 2);
  expect(database.prepare(`SELECT name FROM sqlite_schema WHERE name = 'made'`).all()).toEqual([]);
  await database.close();
});
