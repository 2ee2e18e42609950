import { describeEachEngine } from '@teammemory/testkit/describe-each-engine.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ContentStores, openContentStores } from '../../store/open-stores.ts';
import { storedRow } from '../feed/feed-row.fixture.ts';
import type { FeedRow } from '../feed/feed-row.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import { listFolder, maxFolderEntries } from './list-folder.ts';

describeEachEngine('a folder', (engine) => {
  let stores: ContentStores;
  let seq = 0;

  beforeEach(async () => {
    stores = await openContentStores(engine.storage());
    seq = 0;
  });
  afterEach(() => stores.close());

  /** Stores rows that were not there, with JSON as items have it. */
  async function put(rowKeys: readonly string[], changed: Partial<FeedRow> = {}, teamId = 'team') {
    const changes = rowKeys.map((rowKey) => {
      seq += 1;
      return { row: storedRow(rowKey, seq, { json: itemJson(rowKey), ...changed }), previous: undefined };
    });
    expect(await stores.items.append(teamId, changes, 0)).toBe(changes.length);
  }

  const list = (folder: string, query: { tier?: Tier; token?: string; limit?: number } = {}) => {
    const { tier = 'team', token = '', limit = 0 } = query;
    return listFolder(stores.items, { teamId: 'team', tier }, { folder, token, limit });
  };

  /** A page as a person reads it: the names of items, and of subfolders with their counts. */
  async function said(folder: string, query: Parameters<typeof list>[1] = {}) {
    const { folders, items, nextToken } = await list(folder, query);
    return {
      folders: folders.map(({ name, items: count, hasMore }) => `${name}/ ${count}${hasMore ? '+' : ''}`),
      items: items.map((json) => JSON.parse(Buffer.from(json).toString()).row_key),
      nextToken,
    };
  }

  test('has its subfolders with what is below them, and its items without their text', async () => {
    await put(['a.md', 'b/c/deep.md', 'b/flat.md', 'b.md']);
    await put(['b/theirs.md'], { seq: 1 }, 'other');
    expect(await said('')).toEqual({ folders: ['b/ 2'], items: ['a.md', 'b.md'], nextToken: '' });
    expect(await said('b')).toEqual({ folders: ['c/ 1'], items: ['b/flat.md'], nextToken: '' });
    expect(await said('b/c')).toMatchObject({ folders: [], items: ['b/c/deep.md'] });
    const [item] = (await list('b')).items;
    expect(JSON.parse(Buffer.from(item ?? []).toString())).toEqual({
      row_key: 'b/flat.md',
      title: 'T',
      tier: 'team',
      updated_at: new Date(3).toISOString(),
    });
  });

  test('is told with the item that has its path, as far as the reader sees it', async () => {
    await put(['a', 'a/b.md', 'c.md', 'shut/b.md']);
    await put(['open'], { tier: 'external' });
    await put(['gone'], { tier: 'external', deleted: true });
    const itemOf = async (folder: string, tier: Tier = 'team') => {
      const { item } = await list(folder, { tier });
      return item === undefined ? undefined : JSON.parse(Buffer.from(item).toString()).row_key;
    };
    for (const path of ['a', 'c.md', 'open']) expect(await itemOf(path)).toBe(path);
    for (const path of ['', 'shut', 'gone', 'absent']) expect(await itemOf(path)).toBeUndefined();
    expect(await itemOf('open', 'external')).toBe('open');
    for (const path of ['a', 'c.md', 'gone']) expect(await itemOf(path, 'external')).toBeUndefined();
    expect(await said('a')).toEqual({ folders: [], items: ['a/b.md'], nextToken: '' });
  });

  test('that is missing, empty, or removed whole has nothing, and so has an item', async () => {
    await put(['a/b.md']);
    await put(['gone/b.md'], { deleted: true });
    for (const folder of ['no', 'a/b.md', 'a/b', 'gone', 'a/', '/', 'A', 'a%', '_'])
      expect(await said(folder)).toEqual({ folders: [], items: [], nextToken: '' });
  });

  test('is told from others whose names begin alike, or have signs of patterns', async () => {
    await put([
      'a',
      'a-b',
      'a.md',
      'a/b',
      'a/c',
      'a%/x',
      'a_/y',
      'ab/z',
      'a\u{1f600}/e',
      'a～/f',
      '__proto__/g',
    ]);
    expect(await said('')).toEqual({
      folders: ['__proto__/ 1', 'a%/ 1', 'a/ 2', 'a_/ 1', 'ab/ 1', 'a～/ 1', 'a\u{1f600}/ 1'],
      items: ['a', 'a-b', 'a.md'],
      nextToken: '',
    });
    expect(await said('a')).toMatchObject({ folders: [], items: ['a/b', 'a/c'] });
    expect(await said('a%')).toMatchObject({ items: ['a%/x'] });
    expect(await said('a_')).toMatchObject({ items: ['a_/y'] });
  });

  test('is read in pages of any size, each entry once, to the end', async () => {
    const keys = [
      'a',
      'a-b',
      'a.md',
      'a/b',
      'a/c/d',
      'a0',
      'b/1',
      'b/2',
      'c\u{10ffff}/x',
      'c\u{10ffff}',
      'd',
    ];
    await put(keys);
    await put(['a/gone', 'b/0', 'z/gone'], { deleted: true });
    const whole = await said('');
    for (const limit of [1, 2, 3, 7]) {
      const pages = { folders: [] as string[], items: [] as string[] };
      let token = '';
      do {
        const page = await said('', { limit, token });
        expect(page.folders.length + page.items.length).toBeLessThanOrEqual(limit);
        pages.folders.push(...page.folders);
        pages.items.push(...page.items);
        token = page.nextToken;
      } while (token !== '');
      expect({ ...pages, nextToken: '' }).toEqual(whole);
    }
    const unread = await said('', { token: 'nothing of this name' });
    expect(unread).toEqual({ folders: [], items: [], nextToken: '' });
  });

  test('shows a guest nothing of hidden rows, in no name, count or token', async () => {
    await put(['a/hidden.md', 'b/hidden.md', 'hidden.md', 'z/hidden/x.md']);
    await put(['a/was-open.md'], { externalAtMs: 1 });
    await put(['a/gone.md'], { tier: 'external', deleted: true });
    await put(['a/open.md', 'c/open.md', 'open.md'], { tier: 'external' });
    expect(await said('', { tier: 'external' })).toEqual({
      folders: ['a/ 1', 'c/ 1'],
      items: ['open.md'],
      nextToken: '',
    });
    expect(await said('', { tier: 'external', limit: 3 })).toMatchObject({ nextToken: '' });
    for (const folder of ['b', 'z', 'z/hidden'])
      expect(await said(folder, { tier: 'external' })).toEqual(await said('absent', { tier: 'external' }));
    expect((await said('')).folders).toEqual(['a/ 3', 'b/ 1', 'c/ 1', 'z/ 1']);
  });

  test('of pages that would be too large ends its pages early', async () => {
    const json = (rowKey: string) => itemJson(rowKey, 'x'.repeat(3 * 1024 * 1024));
    for (const key of ['a.md', 'b/1', 'c.md', 'd.md', 'e.md', 'f/1']) await put([key], { json: json(key) });
    const first = await said('');
    expect(first).toEqual({ folders: ['b/ 1'], items: ['a.md', 'c.md', 'd.md'], nextToken: 'd.md' });
    expect(await said('', { token: first.nextToken })).toEqual({
      folders: ['f/ 1'],
      items: ['e.md'],
      nextToken: '',
    });
  });

  test('is refused where its path or its token is none', async () => {
    const refused = { code: 'invalid_request' };
    for (const folder of ['a\\b', 'a\u0000', 'e\u0301', 'x'.repeat(1_100)])
      await expect(list(folder)).rejects.toMatchObject(refused);
    await expect(list('a', { token: 'b\u0000' })).rejects.toMatchObject(refused);
    await expect(list('a'.repeat(600), { token: 'b'.repeat(600) })).rejects.toMatchObject(refused);
  });
});

/** Keys in order, of which a store of this test finds a part at once. */
function storeOf(keys: readonly { rowKey: string; isLive: boolean }[]) {
  let read = 0;
  const items = {
    async keyPage(_team: string, _tier: Tier, range: { beginning: string; from: string; limit: number }) {
      const { beginning, from, limit } = range;
      const found = keys.filter(({ rowKey }) => rowKey.startsWith(beginning) && rowKey >= from);
      read += Math.min(limit, found.length);
      return found.slice(0, limit);
    },
    readShown: async () => [],
  } as Partial<FeedStore> as FeedStore;
  return { items, read: () => read };
}

const number = (value: number) => String(value).padStart(6, '0');
const reader = { teamId: 'team', tier: 'team' } as const;

test('a page looks at some thousand keys, whatever is below its subfolders', async () => {
  const below = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ rowKey: `${folder}/${number(index)}`, isLive: true }));
  const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].flatMap((folder) => below(folder, 3_000));
  const { items, read } = storeOf([...keys, ...below('h', 1_000), ...below('i', 1_001)]);
  const all: string[] = [];
  let pages = 0;
  for (let token = ''; pages === 0 || token !== ''; pages += 1) {
    const before = read();
    const page = await listFolder(items, reader, { folder: '', token, limit: 0 });
    expect(read() - before).toBeLessThan(8_000);
    all.push(
      ...page.folders.map(({ name, items: count, hasMore }) => `${name} ${count}${hasMore ? '+' : ''}`),
    );
    token = page.nextToken;
  }
  expect(pages).toBeLessThanOrEqual(3);
  expect(all.map((folder) => folder[0]).join('')).toBe('abcdefghi');
  for (const folder of all) expect(folder).toMatch(/^(?:h 1000|. \d+\+)$/);
});

test('removed rows without end are passed by, some thousand a page', async () => {
  const removed = Array.from({ length: 12_000 }, (_, index) => ({
    rowKey: `a/${number(index)}`,
    isLive: false,
  }));
  const { items, read } = storeOf([...removed, { rowKey: 'b/1', isLive: true }]);
  const found: string[] = [];
  let pages = 0;
  for (let token = ''; pages === 0 || token !== ''; pages += 1) {
    const before = read();
    const page = await listFolder(items, reader, { folder: '', token, limit: 0 });
    expect(read() - before).toBeLessThan(8_000);
    found.push(...page.folders.map(({ name }) => name));
    token = page.nextToken;
  }
  expect([found, pages]).toEqual([['b'], 3]);
});

test('1,000 subfolders of 100 items are told with their exact counts', async () => {
  const keys = Array.from({ length: 100_000 }, (_, index) => ({
    rowKey: `${number(Math.floor(index / 100))}/${number(index)}`,
    isLive: true,
  }));
  const { items } = storeOf(keys);
  const page = await listFolder(items, reader, { folder: '', token: '', limit: 0 });
  expect(page.folders.length).toBeGreaterThan(30);
  expect(page.folders.length).toBeLessThanOrEqual(maxFolderEntries);
  expect(page.folders.slice(0, -1).every(({ items: count, hasMore }) => count === 100 && !hasMore)).toBe(
    true,
  );
});

function itemJson(rowKey: string, content = '# T'): Buffer {
  const updated_at = '1970-01-01T00:00:00.001Z';
  return Buffer.from(
    JSON.stringify({ row_key: rowKey, title: 'T', content, frontmatter: {}, tier: 'team', updated_at }),
  );
}
