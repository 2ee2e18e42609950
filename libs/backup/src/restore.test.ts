import { beforeEach, expect, test } from 'vitest';
import type { BackupRow, BackupStore, RestoreRecord } from './backup-store.ts';
import { createRestore } from './restore.ts';

const one = '01899ab8-0000-7000-8000-000000000001';
const other = '01899ab8-0000-7000-8000-000000000002';
let rows: BackupRow[];
let record: RestoreRecord | undefined;
let finished: number;
let store: BackupStore;

beforeEach(() => {
  rows = [];
  record = undefined;
  finished = 0;
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
      async write(next) {
        record = next;
      },
    },
    async finish() {
      finished += 1;
    },
  };
});

test('data that is there is never touched', async () => {
  rows = [{ id: 'kept' }];
  const restore = await createRestore(store);
  await expect(restore.check()).rejects.toMatchObject({ code: 'conflict' });
  await expect(restore.begin(one)).rejects.toMatchObject({ code: 'conflict' });
  await expect(restore.restore(one, 'things', () => [])).rejects.toMatchObject({ code: 'conflict' });
  await expect(restore.end(one)).rejects.toMatchObject({ code: 'conflict' });
  expect([rows, record]).toEqual([[{ id: 'kept' }], undefined]);
  await restore.ready();
});

test('a process is not ready from the beginning of a restore until it was started again after its end', async () => {
  const restore = await createRestore(store);
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
  await (await createRestore(store)).ready();
  expect([rows, finished]).toEqual([[{ id: 'a' }], 1]);
});

test('what an unfinished restore left is removed by the next one, even after a new start', async () => {
  const first = await createRestore(store);
  await first.begin(one);
  await first.restore(one, 'things', () => [{ id: 'half' }]);
  const second = await createRestore(store);
  await second.begin(other);
  await second.restore(other, 'things', () => [{ id: 'whole' }]);
  await expect(first.restore(one, 'things', () => [{ id: 'late' }])).rejects.toMatchObject({
    code: 'conflict',
  });
  await second.end(other);
  await second.end(other);
  expect([rows, finished]).toEqual([[{ id: 'whole' }], 1]);
  await expect((await createRestore(store)).begin(one)).rejects.toMatchObject({ code: 'conflict' });
});

test('a section that this version does not have is refused', async () => {
  const restore = await createRestore(store);
  await restore.begin(one);
  await expect(restore.restore(one, 'others', () => [])).rejects.toMatchObject({ code: 'not_found' });
});

test('a process that was started in the middle of a restore has to be started again after it, too', async () => {
  const first = await createRestore(store);
  await first.begin(one);
  const between = await createRestore(store);
  await first.end(one);
  await expect(between.ready()).rejects.toMatchObject({ code: 'unavailable' });
  await (await createRestore(store)).ready();
});

test('nothing else is answered from the beginning of a restore until the next start, so it can be run again until then', async () => {
  const restore = await createRestore(store);
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
  (await createRestore(store)).assertOpen();
});
