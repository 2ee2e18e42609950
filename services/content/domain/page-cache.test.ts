import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../store/open-stores.ts';
import { deleteItem } from './delete-item.ts';
import { itemDraft } from './item.fixture.ts';
import type { ItemStore } from './item-store.ts';
import { createItemWriter, type ItemWriter } from './item-writer.ts';
import { createPageCache } from './page-cache.ts';
import { pushItems } from './push-items.ts';

const ada = { tier: 'team', handle: 'ada' } as const;
const reader = { teamId: 'team', tier: 'team' } as const;
const first = { sinceMs: undefined, cursor: '', limit: 0, includeDeleted: false };

describeEachEngine('the page cache', (engine) => {
  let stores: ContentStores;
  let writer: ItemWriter;
  let pagesRead: number;
  let items: ItemStore;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    writer = createItemWriter({ items: stores.items, clock: () => 1_000, itemHistory: 20 });
    pagesRead = 0;
    items = {
      ...stores.items,
      page(...request) {
        pagesRead += 1;
        return stores.items.page(...request);
      },
    };
    await push('a.md', 'external');
  });
  afterEach(() => stores.close());

  const push = (rowKey: string, tier = 'team', teamId = 'team') =>
    pushItems({ writer }, teamId, ada, [itemDraft({ rowKey, tier })]);
  const keysOf = ({ json }: { json: Uint8Array }) =>
    JSON.parse(Buffer.from(json).toString()).map(({ row_key }: { row_key: string }) => row_key);

  test('a page is read once while its team stands still, whatever other teams do', async () => {
    const pages = createPageCache({ items });
    const page = await pages(reader, first);
    await push('theirs.md', 'team', 'other');
    expect(await pages(reader, first)).toBe(page);
    expect(pagesRead).toBe(1);
  });

  test('every change of the team shows in the next page: a push, another tier, a removal', async () => {
    const pages = createPageCache({ items });
    const outsider = { ...reader, tier: 'external' } as const;
    expect(keysOf(await pages(reader, first))).toEqual(['a.md']);
    await push('b.md');
    expect(keysOf(await pages(reader, first))).toEqual(['a.md', 'b.md']);
    expect(keysOf(await pages(outsider, first))).toEqual(['a.md']);
    await push('a.md', 'team');
    expect(keysOf(await pages(outsider, first))).toEqual([]);
    await deleteItem({ writer }, 'team', ada, 'b.md');
    expect(keysOf(await pages(reader, first))).toEqual(['a.md']);
  });

  test('what one reader asked for is never the answer to another question', async () => {
    const pages = createPageCache({ items });
    await push('b.md');
    await push('gone.md');
    await deleteItem({ writer }, 'team', ada, 'gone.md');
    const { nextCursor } = await pages(reader, { ...first, limit: 1 });
    expect(keysOf(await pages(reader, first))).toEqual(['a.md', 'b.md']);
    expect(keysOf(await pages(reader, { ...first, limit: 1 }))).toEqual(['a.md']);
    expect(keysOf(await pages(reader, { ...first, cursor: nextCursor }))).toEqual(['b.md']);
    expect(keysOf(await pages(reader, { ...first, includeDeleted: true }))).toContain('gone.md');
    expect(keysOf(await pages({ ...reader, teamId: 'other' }, first))).toEqual([]);
    await expect(pages({ ...reader, tier: 'external' }, { ...first, cursor: nextCursor })).rejects.toThrow(
      'cursor',
    );
  });

  test('its memory has a bound, and what was not asked for longest is forgotten', async () => {
    const pages = createPageCache({ items, maxBytes: 3_000 });
    const [one, two, three] = [1, 2, 3].map((limit) => ({ ...first, limit }));
    for (const query of [one, two, one, three, one]) await pages(reader, query ?? first);
    expect(pagesRead).toBe(3);
    await pages(reader, two ?? first);
    expect(pagesRead).toBe(4);
  });
});
