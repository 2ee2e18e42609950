import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { storedBytes } from '@teammemory/testkit/stored-bytes.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { createTaskWorker } from '../../task-thread/task-worker.ts';
import { createCursors } from '../feed/cursor.ts';
import { createFeedWriter, type FeedWriter } from '../feed/feed-writer.ts';
import type { Projection } from '../feed/progress.ts';
import { createProjection } from '../tasks/projection.ts';
import { eraseItem } from './erase-item.ts';
import { checksumOf, itemDraft } from './item.fixture.ts';
import type { ItemAuthor } from './item.ts';
import { listItemHistory, readItemVersion } from './item-history.ts';
import { deleteItem } from './items.ts';
import { pushItems } from './push-items.ts';

const ada: ItemAuthor = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' };
const startMs = 1_795_000_000_000;
/** As the auth service makes it: a UUID of version 7, which begins with the time. */
const memberIdOf = (addedMs: number) =>
  `${addedMs.toString(16).padStart(12, '0').replace(/^.{8}/, '$&-')}-7000-8000-000000000000`;
const bob: ItemAuthor = { tier: 'team', handle: 'bob', memberId: memberIdOf(startMs - 1), access: 'own' };
const eve: ItemAuthor = { tier: 'external', handle: 'eve', memberId: memberIdOf(startMs - 2), access: 'own' };
const guest: ItemAuthor = { tier: 'external', handle: 'guest', memberId: 'id-of-guest' };
const rowKey = 'notes/tasks.md';
const marker = 'vermilion-heron';
/** Of all tests: its thread keeps no process alive. */
const worker = createTaskWorker();

describeEachEngine('erasing an item', (engine) => {
  let stores: ContentStores;
  let writer: FeedWriter;
  let projection: Projection;
  let nowMs: number;
  let acts: number;
  const clock = () => nowMs;

  async function open(): Promise<void> {
    stores = await openContentStores(engine.storage());
    writer = createFeedWriter({ feed: stores.items, clock, history: 20 });
    projection = createProjection({ ...stores, worker, clock });
  }
  async function close(): Promise<void> {
    await projection.close();
    await stores.close();
  }
  beforeEach(async () => {
    nowMs = startMs;
    acts = 0;
    await open();
  });
  afterEach(close);

  let pushed = 0;
  async function push(by: ItemAuthor, content: string, tier = by.tier): Promise<string> {
    pushed += 1;
    const checksum = checksumOf((pushed % 16).toString(16));
    const { written } = await pushItems({ writer }, 'team', by, [
      itemDraft({ rowKey, content, tier, checksum }),
    ]);
    expect(written).toBe(1);
    return checksum;
  }
  const remove = (by: ItemAuthor) => deleteItem({ writer }, 'team', by, rowKey);
  const noted = async (act: () => Promise<void>) => {
    acts += 1;
    await act();
  };
  const erase = (by: ItemAuthor, base?: string, items = stores.items) =>
    eraseItem({ items, writer, projection, noted }, 'team', by, rowKey, base);
  async function history(): Promise<string[]> {
    const dependencies = { items: stores.items, cursors: createCursors(stores.cursorSecret) };
    const query = { rowKey, cursor: '', limit: 0 };
    const { versions } = await listItemHistory(dependencies, { teamId: 'team', tier: 'team' }, query);
    return versions.map(({ updated_by: by, deleted, erased }) =>
      [by, ...(deleted ? ['removed'] : []), ...(erased ? ['erased'] : [])].join(' '),
    );
  }
  const isStored = async (text = marker) => (await storedBytes(engine.storage())).includes(text);

  test('leaves no byte of any version, of a task or of a title in the store, and a tombstone that says who', async () => {
    const long = 'x'.repeat(20_000);
    const first = await push(ada, `# ${marker}\n\n- [ ] call the ${marker}\n\n${long}`);
    await projection.catchUp('team');
    await push(ada, `# Later\n\n- [x] pay the ${marker}\n`);
    await projection.catchUp('team');
    await push(ada, `# Last\n\n- [ ] rest\n\n${marker}`);
    expect(await isStored()).toBe(true);
    await erase(ada);
    expect(await isStored()).toBe(false);
    expect(await isStored(first)).toBe(false);
    expect(await history()).toEqual(['ada removed erased']);
    const version = await readItemVersion(
      stores.items,
      { teamId: 'team', tier: 'team' },
      { rowKey, revision: 4 },
    );
    expect(JSON.parse(Buffer.from(version).toString())).toEqual({
      revision: 4,
      checksum: expect.stringMatching(/^sha256:e3b0c442/),
      tier: 'team',
      updated_at: expect.any(String),
      updated_by: 'ada',
      deleted: true,
      erased: true,
    });
  });

  test('takes a removed item too, once, and says so in the history of what is pushed afterwards', async () => {
    await push(ada, marker);
    await push(ada, `${marker} again`);
    await remove(ada);
    for (const _time of ['first', 'second']) await erase(ada);
    expect(acts).toBe(1);
    expect(await isStored()).toBe(false);
    await push(bob, 'anew');
    expect(await history()).toEqual(['bob', 'ada removed erased']);
  });

  test('of one version leaves any other', async () => {
    const base = await push(ada, 'one');
    await push(ada, 'two');
    await expect(erase(ada, base)).rejects.toMatchObject({ code: 'conflict' });
    expect(await history()).toEqual(['ada', 'ada']);
  });

  test('goes on where a process died after it had written the row, before it did the rest', async () => {
    await push(ada, `- [ ] see the ${marker}`);
    await projection.catchUp('team');
    const dying = { catchUp: () => Promise.reject(new Error('killed')) };
    const killed = eraseItem({ items: stores.items, writer, projection: dying, noted }, 'team', ada, rowKey);
    await expect(killed).rejects.toThrow('killed');
    await close();
    await open();
    await projection.catchUp('team');
    expect(await isStored()).toBe(false);
  });

  test('with access own takes what its member wrote, and not what another wrote before under the name', async () => {
    await push(ada, 'what ada wrote');
    await expect(erase(bob)).rejects.toMatchObject({ code: 'forbidden_access' });
    await remove(ada);
    await erase(bob);
    expect(await history()).toEqual(['ada removed', 'ada']);
    await push(bob, marker);
    await push(bob, `${marker} again`);
    await erase(bob);
    expect(await isStored()).toBe(false);
    expect(await history()).toEqual(['bob removed erased', 'ada']);
    await erase(ada);
    expect(await history()).toEqual(['ada removed erased']);
  });

  test('with access own takes nothing of a former member who had the same handle', async () => {
    await push(bob, 'what the first bob wrote');
    await remove(bob);
    nowMs += 60_000;
    const secondBob = { ...bob, memberId: memberIdOf(nowMs) };
    await erase(secondBob);
    expect(await history()).toEqual(['bob removed', 'bob']);
    nowMs += 1_000;
    await push(secondBob, marker);
    await erase(secondBob);
    expect(await isStored()).toBe(false);
    expect(await history()).toEqual(['bob removed erased', 'bob']);
  });

  test('with an external key takes nothing that was hidden from it, and answers as if there were nothing', async () => {
    await push(ada, 'internal');
    await expect(erase(guest)).rejects.toMatchObject({ code: 'not_found' });
    await remove(ada);
    await push(guest, marker);
    await erase(guest);
    expect(await isStored()).toBe(false);
    expect(await history()).toEqual(['guest removed erased', 'ada removed', 'ada']);
    await push(eve, 'shown');
    await push(ada, 'hidden');
    await erase(guest);
    expect((await history())[0]).toBe('ada');
  });
});
