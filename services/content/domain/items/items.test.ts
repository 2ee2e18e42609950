import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { createFeedWriter, type FeedWriter } from '../feed/feed-writer.ts';
import { itemDraft } from './item.fixture.ts';
import { deleteItem } from './items.ts';
import { pushItems } from './push-items.ts';

const ada = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' } as const;
const eve = { tier: 'external', handle: 'eve', memberId: 'id-of-eve' } as const;
const notFound = { code: 'not_found', message: 'There is no such item.' };

describeEachEngine('removing an item', (engine) => {
  let stores: ContentStores;
  let writer: FeedWriter;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    writer = createFeedWriter({ feed: stores.items, clock: () => 1_000, history: 20 });
    await pushItems({ writer }, 'team', ada, [
      itemDraft({ rowKey: 'internal.md' }),
      itemDraft({ rowKey: 'external.md', tier: 'external' }),
    ]);
  });
  afterEach(() => stores.close());

  const remove = (by: typeof ada | typeof eve, rowKey: string) => deleteItem({ writer }, 'team', by, rowKey);

  test('takes a position once, however often it is repeated', async () => {
    for (const by of [eve, eve, ada]) await remove(by, 'external.md');
    expect(await stores.items.head('team')).toMatchObject({ seq: 3 });
    expect((await stores.items.find('team', ['external.md'])).get('external.md')?.deleted).toBe(true);
  });

  test('looks to an external key as if what is internal had never been', async () => {
    await expect(remove(eve, 'internal.md')).rejects.toMatchObject(notFound);
    await expect(remove(eve, 'never.md')).rejects.toMatchObject(notFound);
    await remove(ada, 'internal.md');
    await expect(remove(eve, 'internal.md')).rejects.toMatchObject(notFound);
  });

  test('of what was hidden from an external key succeeds and changes nothing', async () => {
    await pushItems({ writer }, 'team', ada, [itemDraft({ rowKey: 'external.md', tier: 'team' })]);
    await remove(eve, 'external.md');
    expect((await stores.items.find('team', ['external.md'])).get('external.md')?.deleted).toBe(false);
  });

  test.each(['', '/', '..', 'a\nb', '{"$gt":""}', 'x'.repeat(10_000)])(
    'of %.20j finds nothing and breaks nothing',
    async (rowKey) => {
      await expect(remove(ada, rowKey)).rejects.toMatchObject(notFound);
    },
  );

  test('of another team touches nothing here', async () => {
    await expect(deleteItem({ writer }, 'other', ada, 'internal.md')).rejects.toMatchObject(notFound);
    expect((await stores.items.find('team', ['internal.md'])).get('internal.md')?.deleted).toBe(false);
  });
});
