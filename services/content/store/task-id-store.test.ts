import { randomUUIDv7 } from 'node:crypto';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedRow } from '../domain/feed/feed-row.fixture.ts';
import type { FeedRow } from '../domain/feed/feed-row.ts';
import { type ContentStores, openContentStores } from './open-stores.ts';

/** Appends rows to the tasks of a team that has none. */
async function write(
  { tasks }: ContentStores,
  teamId: string,
  rowKeys: string[],
  changed?: Partial<FeedRow>,
) {
  const changes = rowKeys.map((rowKey, index) => ({
    row: storedRow(rowKey, index + 1, changed),
    previous: undefined,
  }));
  expect(await tasks.append(teamId, changes, 0)).toBe(rowKeys.length);
}

describeEachEngine('ids of tasks', (engine) => {
  let stores: ContentStores;
  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
  });
  afterEach(() => stores.close());

  test('lead to the rows of their team, whatever their source and whether they were removed', async () => {
    const [first, second] = [randomUUIDv7(), randomUUIDv7()];
    const keys = [`item/projects/é 日本.md\n${first}`, `decision/${randomUUIDv7()}\n${second}`];
    await write(stores, 'team', keys, { deleted: true });
    expect(await stores.taskIds.rowKey('team', first)).toBe(keys[0]);
    expect(await stores.taskIds.rowKey('team', second)).toBe(keys[1]);
    expect(await stores.taskIds.rowKey('other', first)).toBeUndefined();
  });

  test('are whole: neither a part nor the source of a key leads anywhere', async () => {
    const id = randomUUIDv7();
    await write(stores, 'team', [`item/a.md\n${id}`]);
    for (const text of ['', id.slice(1), id.slice(0, -1), id.toUpperCase(), `item/a.md\n${id}`, `\n${id}`])
      expect(await stores.taskIds.rowKey('team', text)).toBeUndefined();
  });
});
