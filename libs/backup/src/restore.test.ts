import { beforeEach, expect, test } from 'vitest';
import type { BackupRow, BackupStore, RestoreRecord } from './backup-store.ts';
import { createRestore } from './restore.ts';

const one = '01899ab8-0000-7000-8000-000000000001';
const other = '01899ab8-0000-7000-8000-000000000002';
let rows: BackupRow[];
let record: RestoreRecord | undefined;
let finished: number;
let now: number;
const clock = () => now;
/** Longer than a restore that is in progress is ever silent. */
const longSilenceMs = 16_000;
let store: BackupStore;

beforeEach(() => {
  rows = [];
  record = undefined;
  finished = 0;
  now = 1_000_000;
  store = {
    sections: [
      {
        name: 'things',
        fields: { id: 'text' },
        async *read() {
          yield rows;
        },
        async restore(more) {
          rows.push(...more);
        },
        isEmpty: async () => rows.length === 0,
        async clear() {
          rows = [];
        },
      },
    ],
    records: {
      read: async () => record,
      async replace(expected, next) {
        if (JSON.stringify(record) !== JSON.stringify(expected)) return false;
        record = next;
        return true;
      },
    },
    async finish() {
      finished += 1;
    },
  };
});

test('data that is there is never touched', async () => {
  rows = [{ id: 'kept' }];
  const restore = await createRestore(store, clock);
  await expect(restore.check()).rejects.toMatchObject({ code: 'conflict' });
  await expect(restore.begin(one)).rejects.toMatchObject({ code: 'conflict' });
  await expect(restore.restore(one, 'things', () => [])).rejects.toMatchObject({ code: 'conflict' });
  await expect(restore.end(one)).rejects.toMatchObject({ code: 'conflict' });
  expect([rows, record]).toEqual([[{ id: 'kept' }], undefined]);
  await restore.ready();
});

test('a process is not ready from the beginning of a restore until it was started again after its end', async () => {
  const restore = await createRestore(store, clock);
  await restore.ready();
  await restore.begin(one);
  await expect(restore.ready()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('has not finished'),
  });
  await restore.restore(one, 'things', () => [{ id: 'a' }]);
  await restore.end(one);
  await expect(restore.ready()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('start this process'),
  });
  await (await createRestore(store, clock)).ready();
  expect([rows, finished]).toEqual([[{ id: 'a' }], 1]);
});

test('what an unfinished restore left is removed by the next one, even after a new start', async () => {
  const first = await createRestore(store, clock);
  await first.begin(one);
  await first.restore(one, 'things', () => [{ id: 'half' }]);
  now += longSilenceMs;
  const second = await createRestore(store, clock);
  await second.begin(other);
  await second.restore(other, 'things', () => [{ id: 'whole' }]);
  await expect(first.restore(one, 'things', () => [{ id: 'late' }])).rejects.toMatchObject({
    code: 'conflict',
  });
  await second.end(other);
  await second.end(other);
  expect([rows, finished]).toEqual([[{ id: 'whole' }], 1]);
  await expect((await createRestore(store, clock)).begin(one)).rejects.toMatchObject({ code: 'conflict' });
});

test('a section that this version does not have is refused', async () => {
  const restore = await createRestore(store, clock);
  await restore.begin(one);
  await expect(restore.restore(one, 'others', () => [])).rejects.toMatchObject({ code: 'not_found' });
});

test('a process that was started in the middle of a restore has to be started again after it, too', async () => {
  const first = await createRestore(store, clock);
  await first.begin(one);
  const between = await createRestore(store, clock);
  await first.end(one);
  await expect(between.ready()).rejects.toMatchObject({ code: 'unavailable' });
  await (await createRestore(store, clock)).ready();
});

test('nothing else is answered from the beginning of a restore until the next start, so it can be run again until then', async () => {
  const restore = await createRestore(store, clock);
  restore.assertOpen();
  await restore.begin(one);
  expect(restore.assertOpen).toThrow(expect.objectContaining({ code: 'unavailable' }));
  await restore.restore(one, 'things', () => [{ id: 'a' }]);
  await restore.end(one);
  expect(restore.assertOpen).toThrow(expect.objectContaining({ code: 'unavailable' }));
  // The end of another service failed.
  await restore.begin(other);
  await restore.end(other);
  expect(rows).toEqual([]);
  (await createRestore(store, clock)).assertOpen();
});

test('of two that begin at once one is refused, and the other is whole', async () => {
  const [first, second] = [await createRestore(store, clock), await createRestore(store, clock)];
  const begun = await Promise.allSettled([first.begin(one), second.begin(other)]);
  expect(begun.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(begun[1]).toMatchObject({ reason: { code: 'conflict', message: expect.stringMatching(/Another/) } });
  await first.restore(one, 'things', () => [{ id: 'a' }]);
  await expect(second.restore(other, 'things', () => [{ id: 'b' }])).rejects.toMatchObject({
    code: 'conflict',
  });
  await first.end(one);
  expect(rows).toEqual([{ id: 'a' }]);
});

test('while a restore goes on, no other begins, however long it takes; calls without rows keep it going', async () => {
  const [first, second] = [await createRestore(store, clock), await createRestore(store, clock)];
  await first.begin(one);
  for (let round = 0; round < 20; round += 1) {
    now += 10_000;
    await first.restore(one, 'things', () => []);
    await expect(second.check()).rejects.toMatchObject({ code: 'conflict' });
    await expect(second.begin(other)).rejects.toMatchObject({
      message: expect.stringContaining('Another restore is in progress'),
    });
  }
  await first.restore(one, 'things', () => [{ id: 'a' }]);
  await first.end(one);
  expect(rows).toEqual([{ id: 'a' }]);
});

test('a restore that was silent and comes back writes and removes nothing of the one that began meanwhile', async () => {
  const [first, second] = [await createRestore(store, clock), await createRestore(store, clock)];
  await first.begin(one);
  const many = Array.from({ length: 1_000 }, (_, id) => ({ id: `old ${id}` }));
  const section = store.sections[0];
  const write = section?.restore;
  if (section === undefined || write === undefined) throw new Error('no section');
  // The process hangs in the middle of its rows.
  section.restore = async (some) => {
    section.restore = write;
    await write(some);
    now += longSilenceMs;
    await second.begin(other);
    await second.restore(other, 'things', () => [{ id: 'new' }]);
  };
  await expect(first.restore(one, 'things', () => many)).rejects.toMatchObject({ code: 'conflict' });
  await expect(first.end(one)).rejects.toMatchObject({ code: 'conflict' });
  await second.end(other);
  expect(rows).toEqual([{ id: 'new' }]);
});
