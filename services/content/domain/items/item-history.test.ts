import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { createCursors } from '../feed/cursor.ts';
import { createFeedWriter, type FeedWriter } from '../feed/feed-writer.ts';
import { checksumOf, itemDraft } from './item.fixture.ts';
import { listItemHistory, readItem, readItemVersion } from './item-history.ts';
import { deleteItem, listItemVersions } from './items.ts';
import { pushItems } from './push-items.ts';

const ada = { tier: 'team', handle: 'ada', memberId: 'id-of-ada' } as const;
const team = { teamId: 'team', tier: 'team' } as const;
const external = { teamId: 'team', tier: 'external' } as const;
type Tier = 'team' | 'external';
const rowKey = 'notes/a.md';
const history = 5;
const notFound = { code: 'not_found', message: 'There is no such item.' };

describeEachEngine('the history of an item', (engine) => {
  let stores: ContentStores;
  let writer: FeedWriter;
  let nowMs: number;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    nowMs = 1_795_000_000_000;
    writer = createFeedWriter({ feed: stores.items, clock: () => nowMs, history });
  });
  afterEach(() => stores.close());

  /** Pushes versions: a digit of the checksum each, `+` before those that external keys see, `-` for a removal. */
  async function write(versions: string, teamId = 'team'): Promise<void> {
    for (const [version] of versions.matchAll(/[+]?\w|-/g)) {
      nowMs += 1_000;
      const tier: Tier = version.startsWith('+') ? 'external' : 'team';
      if (version === '-') await deleteItem({ writer }, teamId, ada, rowKey);
      else await pushItems({ writer }, teamId, ada, [draftOf(version.slice(-1), tier)]);
    }
  }
  const draftOf = (digit: string, tier: Tier) =>
    itemDraft({ tier, checksum: checksumOf(digit), content: digit, frontmatterText: `text: ${digit}` });

  const list = (reader: typeof team | typeof external, query = { cursor: '', limit: 0 }) => {
    const cursors = createCursors(stores.cursorSecret);
    return listItemHistory({ items: stores.items, cursors }, reader, { rowKey, ...query });
  };
  async function seen(reader: typeof team | typeof external): Promise<string> {
    const { versions } = await list(reader);
    return versions
      .map(({ checksum, tier, deleted }) =>
        deleted ? '-' : `${tier === 'team' ? '' : '+'}${checksum.at(-1)}`,
      )
      .join('');
  }
  const parsed = (json: Uint8Array) => JSON.parse(Buffer.from(json).toString());

  test('tells team keys with what each version was written, and a guest nothing of it', async () => {
    const by = (client?: string) => ({
      ...ada,
      origin: { key_id: 'k'.repeat(16), ...(client && { client }) },
    });
    const means = (client?: string) => ({ written_with: by(client).origin });
    await pushItems({ writer }, 'team', ada, [draftOf('1', 'external')]);
    await pushItems({ writer }, 'team', by('sync'), [draftOf('2', 'external')]);
    await deleteItem({ writer }, 'team', by('mcp:agent'), rowKey);
    await pushItems({ writer }, 'team', by(), [draftOf('3', 'external')]);
    const { versions } = await list(team);
    expect(versions.map(({ written_with }) => ({ written_with }))).toEqual([
      means(),
      means('mcp:agent'),
      means('sync'),
      { written_with: undefined },
    ]);
    const whole = (reader: typeof team | typeof external, revision: number) =>
      readItemVersion(stores.items, reader, { rowKey, revision }).then(parsed);
    expect(await whole(team, 2)).toMatchObject({ content: '2', revision: 2, ...means('sync') });
    expect(await whole(team, 3)).toMatchObject({ deleted: true, ...means('mcp:agent') });
    expect(Object.keys(await whole(team, 1))).not.toContain('written_with');
    const [shown, ...others] = (await list(external)).versions;
    expect([shown?.written_with, others]).toEqual([undefined, []]);
    expect(Object.keys(await whole(external, shown?.revision ?? 0))).not.toContain('written_with');
    const live = [await readItem(stores.items, team, rowKey), await readItem(stores.items, external, rowKey)];
    for (const json of live) expect(Object.keys(parsed(json))).not.toContain('written_with');
  });

  test('is its present version and those before it, newest first, with removals, as many as are kept', async () => {
    await write('1+2-3');
    expect(await seen(team)).toBe('3-+21');
    const { versions } = await list(team);
    expect(versions.map(({ revision }) => revision)).toEqual([4, 3, 2, 1]);
    expect(versions[1]).toEqual({
      revision: 3,
      checksum: checksumOf('2'),
      tier: 'external',
      deleted: true,
      updated_at: new Date(1_795_000_003_000).toISOString(),
      updated_by: 'ada',
    });
    await write('45678');
    expect(await seen(team)).toBe('876543');
  });

  test('of a removed item begins with its removal, whose whole is what the list tells', async () => {
    await write('1-');
    expect(await seen(team)).toBe('-1');
    const [removal] = (await list(team)).versions;
    const version = { rowKey, revision: removal?.revision ?? 0 };
    expect(parsed(await readItemVersion(stores.items, team, version))).toEqual(removal);
    await expect(readItem(stores.items, team, rowKey)).rejects.toMatchObject(notFound);
  });

  test('has every version whole, as it was pushed', async () => {
    await write('12');
    for (const [revision, digit] of [
      [1, '1'],
      [2, '2'],
    ] as const) {
      const version = parsed(await readItemVersion(stores.items, team, { rowKey, revision }));
      expect(version).toMatchObject({ revision, content: digit, frontmatter_text: `text: ${digit}` });
      expect(version).toMatchObject({ row_key: rowKey, updated_by: 'ada', checksum: checksumOf(digit) });
    }
    for (const revision of [0, 3, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      const asked = readItemVersion(stores.items, team, { rowKey, revision });
      await expect(asked).rejects.toMatchObject(notFound);
    }
  });

  test('comes a page at a time, to each tier by its own cursors', async () => {
    await write('+1+2+3+4+5');
    for (const reader of [team, external]) {
      const digits: string[] = [];
      let cursor = '';
      do {
        const page = await list(reader, { cursor, limit: 2 });
        digits.push(page.versions.map(({ checksum }) => checksum.at(-1)).join(''));
        cursor = page.nextCursor;
      } while (cursor !== '');
      expect(digits).toEqual(['54', '32', '1']);
    }
    const { nextCursor } = await list(team, { cursor: '', limit: 2 });
    await expect(list(external, { cursor: nextCursor, limit: 2 })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });

  test('is to an external key what it could see since the item became visible to it', async () => {
    for (const [versions, toExternal] of [
      ['+1+2', '+2+1'],
      ['3', undefined],
      ['+4', '+4'],
      ['+5', '+5+4'],
      ['-', undefined],
      ['+6', '+6'],
    ] as const) {
      await write(versions);
      if (toExternal === undefined) await expect(list(external)).rejects.toMatchObject(notFound);
      else expect(await seen(external)).toBe(toExternal);
    }
  });

  test('tells an external key nothing of what happened out of its sight', async () => {
    const told: unknown[] = [];
    const cursors = createCursors(stores.cursorSecret);
    // What it knows of is a removal in one team, and that the item was hidden in the others.
    for (const hidden of ['-', '3', '3456789abc', '3-4-', '3-4']) {
      const teamId = `team with ${hidden}`;
      const reader = { ...external, teamId };
      nowMs = 1_795_000_000_000;
      await write('+1+2', teamId);
      await write(hidden, teamId);
      nowMs = 1_795_000_100_000;
      await write('+d+e', teamId);
      const query = { rowKey, cursor: '', limit: 1 };
      const { versions, nextCursor } = await listItemHistory({ items: stores.items, cursors }, reader, query);
      const rest = { ...query, cursor: nextCursor, limit: 0 };
      versions.push(...(await listItemHistory({ items: stores.items, cursors }, reader, rest)).versions);
      const wholes = versions.map(({ revision }) =>
        readItemVersion(stores.items, reader, { rowKey, revision }),
      );
      const json = (await Promise.all(wholes)).map(parsed);
      told.push(JSON.stringify({ versions, json, place: nextCursor.split('.')[0] }));
      // The numbers of the store are none of its.
      for (let revision = 1; revision < 20; revision += 1) {
        const asked = readItemVersion(stores.items, reader, { rowKey, revision });
        await expect(asked).rejects.toMatchObject(notFound);
      }
    }
    expect(new Set(told).size).toBe(1);
    expect(told[0]).toContain('"content":"d"');
  });

  test('leaves out removals where only earlier versions are asked for', async () => {
    await write('1-2-3');
    const { versions } = await listItemVersions(stores, team, { rowKey, beforeRevision: 0, limit: 0 });
    expect(versions.map(({ json }) => parsed(json).content)).toEqual(['2', '1']);
  });

  test.each(['', '/', '..', 'never.md', '{"$gt":""}', 'x'.repeat(10_000)])(
    'of %.20j finds nothing and breaks nothing',
    async (name) => {
      await write('1');
      const cursors = createCursors(stores.cursorSecret);
      for (const reader of [team, external]) {
        const query = { rowKey: name, cursor: '', limit: 0 };
        await expect(readItem(stores.items, reader, name)).rejects.toMatchObject(notFound);
        const version = { rowKey: name, revision: 1 };
        await expect(readItemVersion(stores.items, reader, version)).rejects.toMatchObject(notFound);
        const listed = listItemHistory({ items: stores.items, cursors }, reader, query);
        await expect(listed).rejects.toMatchObject(notFound);
      }
    },
  );
});
