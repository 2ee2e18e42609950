import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { type Migration, startMigrations } from './run-migrations.ts';
import { noRecord, type SchemaRecord, type SchemaRecords } from './schema-version.ts';

const schema = { store: 'content', version: 2, readableFrom: 1 };
const day = 24 * 60 * 60 * 1_000;

function recordsFrom(first: SchemaRecord): SchemaRecords & { record: SchemaRecord } {
  const records = {
    record: first,
    read: async () => records.record,
    async reached(version: number, at: number) {
      records.record = { ...records.record, version, reachedAt: records.record.reachedAt || at };
    },
    async outdated() {
      records.record = { ...records.record, version: 0, reachedAt: 0 };
    },
  };
  return records;
}

/** A migration of so many rows, `failures` of whose first steps fail. */
function migrationOf(rows: number, failures = 0): Migration & { left: number; steps: number } {
  const migration = {
    name: 'rows',
    left: rows,
    steps: 0,
    async step() {
      migration.steps += 1;
      if (migration.steps <= failures) throw new Error('the store is away');
      const changed = Math.min(migration.left, 2);
      migration.left -= changed;
      return changed;
    },
  };
  return migration;
}

test('steps run until no row is left, and only then the data counts as migrated', async () => {
  const records = recordsFrom(noRecord);
  const first = migrationOf(5);
  const second: Migration = {
    name: 'second',
    async step() {
      expect([first.left, records.record.version]).toEqual([0, 0]);
      return 0;
    },
  };
  const running = startMigrations({ schema, records, migrations: [first, second], clock: () => 7 });
  await running.settled;
  expect(records.record).toEqual({ version: 2, readableFrom: 0, reachedAt: 7 });
  await running.close();
});

test('a step that fails is tried again', async () => {
  const records = recordsFrom(noRecord);
  const migration = migrationOf(3, 1);
  const running = startMigrations({ schema, records, migrations: [migration] });
  await running.settled;
  expect(migration.left).toBe(0);
  await running.close();
});

test('data that has been in this form for a day is not looked at, and younger data is, for older programs may write it', async () => {
  for (const [age, steps] of [
    [day, 0],
    [day - 1, 1],
  ] as const) {
    const migration = migrationOf(0);
    const records = recordsFrom({ version: 2, readableFrom: 1, reachedAt: 1 });
    const running = startMigrations({ schema, records, migrations: [migration], clock: () => 1 + age });
    await running.settled;
    await running.close();
    expect(migration.steps).toBe(steps);
  }
});

test('closing lets the step in progress end, starts no other, and leaves the data to the next start', async () => {
  const records = recordsFrom(noRecord);
  const gate = Promise.withResolvers<void>();
  let steps = 0;
  const migration: Migration = {
    name: 'slow',
    async step() {
      steps += 1;
      await gate.promise;
      return 1;
    },
  };
  const running = startMigrations({ schema, records, migrations: [migration] });
  await eventually('a step began', () => steps === 1);
  let isClosed = false;
  const closing = running.close().then(() => {
    isClosed = true;
  });
  expect(isClosed).toBe(false);
  gate.resolve();
  await closing;
  expect([steps, records.record]).toEqual([1, noRecord]);
});
