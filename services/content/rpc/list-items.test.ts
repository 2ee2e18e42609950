import { createContextValues, type HandlerContext } from '@connectrpc/connect';
import type { ListItemsResponse } from '@teammemory/proto/content/v1/content_pb.ts';
import { principalKey } from '@teammemory/rpc/caller-context.ts';
import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { expect, test } from 'vitest';
import { itemDraft } from '../domain/item.fixture.ts';
import type { ItemStore } from '../domain/item-store.ts';
import { createItemWriter } from '../domain/item-writer.ts';
import { itemsVersion } from '../domain/items-version.ts';
import { pushItems } from '../domain/push-items.ts';
import { openContentStores } from '../store/open-stores.ts';
import { listItemsHandler } from './list-items.ts';

const reader = { teamId: 'team', tier: 'team' } as const;
const names = { teamSlug: 'blue', memberId: 'id', memberHandle: 'ada', keyId: 'k'.repeat(16) };
const member = { kind: 'member', caller: { ...reader, ...names } } as const;

describeEachEngine('a page of items', (engine) => {
  test('does not pass as the present one when an item was written while it was put together', async () => {
    const stores = await openContentStores(engine.storage());
    const writer = createItemWriter({ items: stores.items, clock: () => 1_000, itemHistory: 20 });
    const items: ItemStore = {
      ...stores.items,
      async page(...range) {
        const rows = await stores.items.page(...range);
        await pushItems({ writer }, 'team', { tier: 'team', handle: 'ada' }, [itemDraft()]);
        return rows;
      },
    };
    const values = createContextValues().set(principalKey, member);
    const answer = await listItemsHandler({ items })({} as never, { values } as HandlerContext);
    expect((answer as ListItemsResponse).version).not.toBe(await itemsVersion(stores, reader));
    await stores.close();
  });
});
