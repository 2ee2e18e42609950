import { create } from '@bufbuild/protobuf';
import { createContextValues, type HandlerContext } from '@connectrpc/connect';
import { ListItemsRequestSchema, type ListItemsResponse } from '@teammemory/proto/content/v1/content_pb.ts';
import { principalKey } from '@teammemory/rpc/auth/caller-context.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { describeOnMongo } from '@teammemory/testkit/describe-on-mongo.ts';
import { recordedMongo } from '@teammemory/testkit/recorded-mongo.ts';
import { expect, test } from 'vitest';
import { createCursors } from '../domain/feed/cursor.ts';
import { feedVersion } from '../domain/feed/feed-page.ts';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import { createFeedWriter } from '../domain/feed/feed-writer.ts';
import { itemDraft } from '../domain/items/item.fixture.ts';
import { pushItems } from '../domain/items/push-items.ts';
import { openContentStores } from '../store/open-stores.ts';
import { listItemsHandler } from './items.ts';

const reader = { teamId: 'team', tier: 'team' } as const;
const names = { teamSlug: 'blue', memberId: 'id', memberHandle: 'ada', keyId: 'k'.repeat(16) };
const member = { kind: 'member', caller: { ...reader, access: 'write', ...names } } as const;
const context = { values: createContextValues().set(principalKey, member) } as HandlerContext;
const ada = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' } as const;

describeEachEngine('a page of items', (engine) => {
  test('does not pass as the present one when an item was written while it was put together', async () => {
    const stores = await openContentStores(engine.storage());
    const writer = createFeedWriter({ feed: stores.items, clock: () => 1_000, history: 20 });
    const push = (rowKey: string) => pushItems({ writer }, 'team', ada, [itemDraft({ rowKey })]);
    await push('before.md');
    const items: FeedStore = {
      ...stores.items,
      async page(...range) {
        const rows = await stores.items.page(...range);
        await push('meanwhile.md');
        return rows;
      },
      async joinedPage(...range) {
        const rows = await stores.items.joinedPage(...range);
        await push('meanwhile.md');
        return rows;
      },
    };
    const answer = await listItemsHandler({ items, cursors: createCursors(stores.cursorSecret) })(
      create(ListItemsRequestSchema),
      context,
    );
    expect((answer as ListItemsResponse).version).not.toBe(await feedVersion(stores.items, reader));
    await stores.close();
  });
});

describeOnMongo('a page of items', (connection) => {
  test('asks for the newest time once, and for rows only where there are any', async () => {
    const { connection: recorded, asked } = recordedMongo(connection());
    const stores = await openContentStores({ engine: 'mongodb', connection: recorded });
    const writer = createFeedWriter({ feed: stores.items, clock: () => 1_000, history: 20 });
    const list = listItemsHandler({ ...stores, cursors: createCursors(stores.cursorSecret) });
    await pushItems({ writer }, 'team', ada, [itemDraft()]);
    asked.length = 0;
    const { page } = (await list(create(ListItemsRequestSchema), context)) as ListItemsResponse;
    expect(asked).toEqual(['findOne items', 'find items']);
    asked.length = 0;
    await list(create(ListItemsRequestSchema, { page: { cursor: page?.nextCursor } }), context);
    expect(asked).toEqual(['findOne items']);
  });
});
