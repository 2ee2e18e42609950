import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { findSecrets } from '@teammemory/vocabulary/secret-scan.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import { createFeedWriter, type FeedWriter } from '../feed/feed-writer.ts';
import { checksumOf, itemDraft } from './item.fixture.ts';
import type { ItemAuthor, ItemDraft } from './item.ts';
import { deleteItem } from './items.ts';
import { planPush, pushItems } from './push-items.ts';

const ada = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' } as const;
const eve = { tier: 'external', handle: 'eve', memberId: 'id-of-eve' } as const;

describe.each([0, 201])('a batch of %i items', (size) => {
  test('is refused whole', async () => {
    const drafts = Array.from({ length: size }, (_, index) => itemDraft({ rowKey: `${index}.md` }));
    const items = { find: () => Promise.reject(new Error('looked up')) } as unknown as FeedStore;
    await expect(planPush({ items }, 'team', ada, drafts)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describeEachEngine('pushing a batch', (engine) => {
  let stores: ContentStores;
  let writer: FeedWriter;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    writer = createFeedWriter({ feed: stores.items, clock: () => 1_000, history: 20 });
  });
  afterEach(() => stores.close());

  const stored = async () => (await stores.items.find('team', ['notes/a.md'])).get('notes/a.md');

  test('stores the good items beside the refused ones, and reports those in order', async () => {
    await pushItems({ writer }, 'team', ada, [itemDraft({ rowKey: 'internal.md' })]);
    const result = await pushItems({ writer }, 'team', eve, [
      itemDraft({ rowKey: 'internal.md', tier: 'external' }),
      itemDraft({ rowKey: 'good.md', tier: 'client' }),
      itemDraft({ rowKey: 'private.md', tier: 'private' }),
      itemDraft({ rowKey: 'stale.md', tier: 'client', baseChecksum: checksumOf('b') }),
    ]);
    expect(result).toMatchObject({ accepted: 1, written: 1 });
    expect(result.refusals.map(({ index, refusal }) => [index, refusal.code])).toEqual([
      [0, 'forbidden_tier'],
      [2, 'admin_tier'],
      [3, 'conflict'],
    ]);
    expect((await stores.items.readFrom('team', 0, { limit: 10 })).map(({ rowKey }) => rowKey)).toEqual([
      'internal.md',
      'good.md',
    ]);
  });

  test('can be planned: what changes nothing and what is refused is told, the rest is pending', async () => {
    await pushItems({ writer }, 'team', ada, [itemDraft(), itemDraft({ rowKey: 'internal.md' })]);
    const open = { tier: 'external' };
    const plan = await planPush({ items: stores.items }, 'team', ada, [
      itemDraft(),
      itemDraft({ rowKey: '/bad' }),
      itemDraft({ rowKey: 'new.md', baseChecksum: checksumOf('f') }),
      itemDraft({ rowKey: 'twice.md' }),
      itemDraft({ rowKey: 'twice.md', checksum: checksumOf('b') }),
      itemDraft({ rowKey: 'internal.md', ...open }),
    ]);
    expect(plan).toMatchObject({ accepted: 1, written: 2, pending: [3, 4, 5] });
    expect(plan.refusals.map(({ index, refusal }) => [index, refusal.code])).toEqual([
      [1, 'invalid_request'],
      [2, 'conflict'],
    ]);
    const guests = await planPush({ items: stores.items }, 'team', eve, [
      itemDraft({ rowKey: 'internal.md', ...open }),
      itemDraft({ rowKey: 'mine.md', ...open }),
    ]);
    expect(guests).toMatchObject({ accepted: 0, written: 1, pending: [1] });
    expect(guests.refusals).toMatchObject([{ index: 0, refusal: { code: 'forbidden_tier' } }]);
    expect(await stores.items.head('team')).toMatchObject({ seq: 2 });
  });

  test('again writes nothing and counts as accepted', async () => {
    const drafts = [itemDraft(), itemDraft({ rowKey: 'b.md' })];
    expect(await pushItems({ writer }, 'team', ada, drafts)).toMatchObject({ accepted: 2, written: 2 });
    expect(await pushItems({ writer }, 'team', ada, drafts)).toMatchObject({ accepted: 2, written: 0 });
    expect(await stores.items.head('team')).toMatchObject({ seq: 2 });
  });

  test('writes nothing more once its signal has aborted, also of what was judged before', async () => {
    const gone = new AbortController();
    const items: FeedStore = {
      ...stores.items,
      async append() {
        // Another writer takes the position, and the caller goes away meanwhile.
        gone.abort();
        return 0;
      },
    };
    const slow = createFeedWriter({ feed: items, clock: () => 1_000, history: 20 });
    await pushItems({ writer: slow }, 'team', ada, [itemDraft()], gone.signal);
    expect(await stores.items.head('team')).toMatchObject({ seq: 0 });
  });

  test('with a row twice stores the later one', async () => {
    const drafts = [itemDraft(), itemDraft({ checksum: checksumOf('b') })];
    expect(await pushItems({ writer }, 'team', ada, drafts)).toEqual({
      accepted: 2,
      written: 1,
      refusals: [],
    });
    expect(await stored()).toMatchObject({ checksum: checksumOf('b') });
  });

  test('with a row twice stores the earlier one where the later is against the rules', async () => {
    const drafts = [itemDraft(), itemDraft({ checksum: 'none' })];
    expect(await pushItems({ writer }, 'team', ada, drafts)).toMatchObject({ accepted: 1, written: 1 });
    expect(await stored()).toMatchObject({ checksum: checksumOf('a') });
  });

  describe('with a row twice judges each as if it came alone', () => {
    const edit = (to: string, from?: string) =>
      itemDraft({ checksum: checksumOf(to), baseChecksum: from && checksumOf(from) });
    const push = (...drafts: ItemDraft[]) => pushItems({ writer }, 'team', ada, drafts);
    const conflict = (index: number, stored: string) => ({
      index,
      refusal: { code: 'conflict', currentChecksum: checksumOf(stored) },
    });

    test('so an edit of the earlier one is stored, in one version', async () => {
      expect(await push(edit('a'), edit('b', 'a'))).toEqual({ accepted: 2, written: 1, refusals: [] });
      expect(await stored()).toMatchObject({ checksum: checksumOf('b'), revision: 1, seq: 1 });
    });

    test('so the earlier one is stored where the later is a conflict with it', async () => {
      const result = { accepted: 1, written: 1, refusals: [conflict(1, 'a')] };
      expect(await push(edit('a'), edit('b', 'c'))).toMatchObject(result);
      expect(await stored()).toMatchObject({ checksum: checksumOf('a') });
    });

    test('so an edit of what was stored is a conflict with what came before it', async () => {
      await push(edit('a'));
      const result = { accepted: 2, written: 1, refusals: [conflict(0, 'a'), conflict(2, 'b')] };
      expect(await push(edit('c', 'f'), edit('b', 'a'), edit('c', 'a'), edit('d', 'b'))).toMatchObject(
        result,
      );
      expect(await stored()).toMatchObject({ checksum: checksumOf('d'), revision: 2 });
    });

    test('and writes nothing where the last is what is stored', async () => {
      await push(edit('a'));
      expect(await push(edit('b'), edit('a', 'b'))).toEqual({ accepted: 2, written: 0, refusals: [] });
      expect(await stored()).toMatchObject({ checksum: checksumOf('a'), seq: 1 });
    });

    test('also after another batch that is written with it', async () => {
      const results = await Promise.all([push(edit('a')), push(edit('b', 'a'), edit('c', 'a'))]);
      expect(results).toMatchObject([{ written: 1 }, { written: 1, refusals: [conflict(1, 'b')] }]);
      expect(await stored()).toMatchObject({ checksum: checksumOf('b'), revision: 2, seq: 2 });
    });
  });

  describe('with credentials', () => {
    // In two parts, so that no credential stands in the repository.
    const secret = `password: ${'q7Rt2xKp'}${'9LmW4vZs'}`;
    const other = `password: ${'Zx3Kq8Lw'}${'5Rt7Vn2B'}`;
    const leaked = { content: `# A\n${secret}\n`, tier: 'external' };
    const edited = (content: string, tier = 'external') =>
      itemDraft({ content, tier, checksum: checksumOf('b') });
    const push = (draft: ItemDraft, by: ItemAuthor = ada) =>
      pushItems({ writer, items: stores.items, findSecrets }, 'team', by, [draft]);
    const plan = (draft: ItemDraft, by: ItemAuthor = ada) =>
      planPush({ items: stores.items, findSecrets }, 'team', by, [draft]);
    const refused = [{ index: 0, refusal: { code: 'contains_secret' } }];

    test('that a stored item has already can be pushed again, edited elsewhere and hidden from guests', async () => {
      await pushItems({ writer }, 'team', ada, [itemDraft(leaked)]);
      expect(await push(itemDraft(leaked))).toEqual({ accepted: 1, written: 0, refusals: [] });
      const line = edited(`# A, edited\n\n${secret}\n`);
      expect(await plan(line)).toMatchObject({ written: 1, refusals: [] });
      expect(await push(line)).toMatchObject({ written: 1, refusals: [] });
      const narrower = { ...line, tier: 'team' };
      expect(await push(narrower)).toMatchObject({ written: 1, refusals: [] });
      expect(await stored()).toMatchObject({ tier: 'team', revision: 3 });
    });

    test('that are new, moved or would be shown to guests are refused, whatever the checksum says', async () => {
      await pushItems({ writer }, 'team', ada, [itemDraft({ ...leaked, tier: 'team' })]);
      const drafts = [
        itemDraft(leaked),
        edited(`${secret}\n${other}`, 'team'),
        itemDraft({ content: `${secret}\n${other}`, tier: 'external' }),
        itemDraft({ ...leaked, rowKey: 'moved.md' }),
        edited(other, 'team'),
      ];
      for (const draft of drafts) {
        expect(await plan(draft)).toMatchObject({ written: 0, refusals: refused });
        expect(await push(draft)).toMatchObject({ written: 0, refusals: refused });
      }
      expect(await stored()).toMatchObject({ tier: 'team', revision: 1 });
    });

    test('of a hidden or removed item count as new, so that a guess at them tells nothing', async () => {
      await pushItems({ writer }, 'team', ada, [itemDraft({ ...leaked, tier: 'team' })]);
      for (const content of [secret, other]) {
        expect(await push(edited(content), eve)).toMatchObject({ written: 0, refusals: refused });
      }
      await deleteItem({ writer }, 'team', ada, 'notes/a.md');
      expect(await push(edited(secret, 'team'))).toMatchObject({ written: 0, refusals: refused });
    });

    test('that somebody took out meanwhile are not brought back', async () => {
      await pushItems({ writer }, 'team', ada, [itemDraft(leaked)]);
      const items: FeedStore = {
        ...stores.items,
        async read(...given) {
          const row = await stores.items.read(...given);
          await pushItems({ writer }, 'team', ada, [itemDraft({ checksum: checksumOf('c') })]);
          return row;
        },
      };
      const result = await pushItems({ writer, items, findSecrets }, 'team', ada, [
        edited(`${secret}\nMore.`),
      ]);
      expect(result).toMatchObject({ written: 0, refusals: refused });
      expect(await stored()).toMatchObject({ checksum: checksumOf('c') });
    });
  });
});
