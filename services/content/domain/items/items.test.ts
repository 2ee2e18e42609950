import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { createFeedWriter, type FeedWriter } from '../feed/feed-writer.ts';
import { checksumOf, itemDraft } from './item.fixture.ts';
import { deleteItem, listItemVersions } from './items.ts';
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

  test('of one version leaves any other and says which that is, in any case of its digits', async () => {
    const removal = (digit: string) =>
      deleteItem(
        { writer },
        'team',
        ada,
        'internal.md',
        checksumOf(digit).toUpperCase().replace('SHA', 'sha'),
      );
    await expect(removal('b')).rejects.toMatchObject({
      code: 'conflict',
      currentChecksum: checksumOf('a'),
    });
    expect((await stores.items.find('team', ['internal.md'])).get('internal.md')?.deleted).toBe(false);
    await removal('a');
    await removal('b');
    expect(await stores.items.head('team')).toMatchObject({ seq: 3 });
    await expect(deleteItem({ writer }, 'team', ada, 'internal.md', 'x')).rejects.toMatchObject({
      code: 'invalid_request',
      violations: [{ pointer: '/base_checksum' }],
    });
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

const reader = { teamId: 'team', tier: 'team' } as const;
const rowKey = 'notes/a.md';

describeEachEngine('versions of an item', (engine) => {
  let stores: ContentStores;
  let writer: FeedWriter;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    writer = createFeedWriter({ feed: stores.items, clock: () => 1_000, history: 3 });
  });
  afterEach(() => stores.close());

  async function pushEach(digits: string): Promise<void> {
    for (const digit of digits) {
      await pushItems({ writer }, 'team', ada, [itemDraft({ checksum: checksumOf(digit) })]);
    }
  }
  const list = (query = { beforeRevision: 0, limit: 0 }) =>
    listItemVersions(stores, reader, { rowKey, ...query });
  const digitsOf = ({ versions }: Awaited<ReturnType<typeof list>>) =>
    versions.map(({ json }) => JSON.parse(Buffer.from(json).toString()).checksum.at(-1)).join('');

  test('are those before the present one, newest first, as many as are kept', async () => {
    await pushEach('12345');
    expect(digitsOf(await list())).toBe('432');
  });

  test('come a page at a time', async () => {
    await pushEach('1234');
    const page = await list({ beforeRevision: 0, limit: 2 });
    expect(digitsOf(page)).toBe('32');
    const rest = await list({ beforeRevision: page.nextRevision, limit: 2 });
    expect([digitsOf(rest), rest.nextRevision]).toEqual(['1', 0]);
  });

  test('of a removed item include its last, and go on behind its removal, which is kept as one of them', async () => {
    await pushEach('12');
    await deleteItem({ writer }, 'team', ada, rowKey);
    expect(digitsOf(await list())).toBe('21');
    await pushEach('345');
    expect(digitsOf(await list())).toBe('43');
  });

  test('never include one that a write left which lost its race', async () => {
    await pushEach('12');
    const previous = (await stores.items.find('team', [rowKey])).get(rowKey);
    if (previous === undefined) throw new Error('was not stored');
    await pushItems({ writer }, 'team', ada, [itemDraft({ rowKey: 'faster.md' })]);
    const late = { ...previous, seq: 3, revision: 3, json: new Uint8Array() };
    expect(await stores.items.append('team', [{ row: late, previous }], 3)).toBe(0);
    expect(digitsOf(await list())).toBe('1');
    expect(digitsOf(await list({ beforeRevision: 1_000, limit: 0 }))).toBe('1');
  });

  test('are not for external keys, for an earlier one may have been internal', async () => {
    const query = { rowKey, beforeRevision: 0, limit: 0 };
    for (const key of [rowKey, 'never.md']) {
      const asked = listItemVersions(stores, { ...reader, tier: 'external' }, { ...query, rowKey: key });
      await expect(asked).rejects.toMatchObject({ code: 'forbidden_tier' });
    }
  });

  test('of what never was are not found', async () => {
    await expect(list()).rejects.toMatchObject({ code: 'not_found' });
  });
});
