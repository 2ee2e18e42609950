import { statSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { describeOnSmallDisk, type SmallDisk, smallDisk } from '@teammemory/testkit/small-disk.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DiskRoom, leftByRemovals, openDiskRoom, reserveBytes } from './disk-room.ts';
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts';

const message = expect.stringContaining('The disk of the service is full.');

await describeOnSmallDisk('on a full disk', () => {
  let disk: SmallDisk;
  let room: DiskRoom;
  let database: SqliteDatabase;
  beforeEach(async () => {
    disk = await smallDisk(64);
    room = openDiskRoom(disk.path);
    database = open();
  });
  afterEach(async () => {
    await database.close();
    await disk.remove();
  });

  const open = () =>
    openSqliteDatabase({
      file: join(disk.path, 'test.db'),
      schema: 'CREATE TABLE IF NOT EXISTS rows (text BLOB) STRICT',
      room,
    });
  const insert = (bytes: number) => () =>
    void database.prepare('INSERT INTO rows VALUES (?)').run(new Uint8Array(bytes));
  const rows = () => database.prepare('SELECT count(*) AS count FROM rows').get()?.count;
  const reserve = () => statSync(join(disk.path, 'reserve'), { throwIfNoEntry: false })?.size ?? 0;

  test('what must not wait is written out of the reserve, what grows is refused, and both are again when there is space', async () => {
    expect([room.isFull(), reserve()]).toEqual([false, reserveBytes]);
    await database.write(insert(1_000));
    disk.fill();
    await eventually('it shows', () => room.isFull());
    await expect(database.write(insert(1))).rejects.toMatchObject({ code: 'unavailable', message });
    await Promise.all(Array.from({ length: 50 }, () => database.writeWithReserve(insert(5_000))));
    expect(rows()).toBe(51);
    expect(reserve()).toBeLessThan(reserveBytes);
    expect(reserve()).toBeGreaterThan(reserveBytes / 2);
    disk.free();
    await eventually('it shows', () => !room.isFull());
    await database.write(insert(1_000));
    expect(reserve()).toBe(reserveBytes);
  });

  test('a disk that becomes full during a transaction fails what grows in it, and nothing else', async () => {
    disk.fill();
    // Nobody has looked since.
    const writes = [database.write(insert(100_000)), database.writeWithReserve(insert(1_000))];
    const settled = await Promise.allSettled(writes);
    expect(settled).toMatchObject([
      { status: 'rejected', reason: { code: 'unavailable', message } },
      { status: 'fulfilled' },
    ]);
    expect(rows()).toBe(1);
  });

  test('removals leave a part of the reserve, so that no number of them keeps a key from being revoked', async () => {
    disk.fill();
    await eventually('it shows', () => room.isFull());
    const removeAll = async () => {
      for (;;) await database.writeWithReserve(insert(500_000), 'part');
    };
    await expect(removeAll()).rejects.toMatchObject({ code: 'unavailable', message });
    expect(reserve()).toBe(leftByRemovals);
    await database.writeWithReserve(insert(500_000));
  });

  test('removals go on after the largest push that still found space, although the file has no room for its log yet', async () => {
    const small = 40;
    for (let number = 1; number <= small; number += 1) await database.write(insert(50_000));
    disk.fill(8.5 * 2 ** 20);
    await database.write(insert(7_500_000));
    await eventually('it shows', () => room.isFull());
    const removeFirst = () =>
      void database.prepare('DELETE FROM rows WHERE rowid = (SELECT min(rowid) FROM rows)').run();
    for (let number = 1; number <= small; number += 1) await database.writeWithReserve(removeFirst, 'part');
    expect(rows()).toBe(1);
  });

  test('the reserve ends, and then everything is refused and what was written is there', async () => {
    disk.fill();
    let written = 0;
    const fill = async () => {
      for (;;) {
        await database.writeWithReserve(insert(500_000));
        written += 1;
      }
    };
    await expect(fill()).rejects.toMatchObject({ code: 'unavailable', message });
    expect(reserve()).toBe(0);
    expect(written).toBeGreaterThan(3);
    await database.close();
    database = open();
    expect(rows()).toBe(written);
  });
});
