import { expect, test } from 'vitest';
import { feedItem } from '../passages/item.fixture.ts';
import type { ItemFeed } from '../passages/item-feed.ts';
import { passageStoreInMemory } from '../passages/passage-store.fixture.ts';
import { feedsInMemory } from '../rows/feeds.fixture.ts';
import type { RowFeed } from '../rows/row-feed.ts';
import { itemsAt } from './index-host.fixture.ts';
import { type IndexHost, IndexHostEnded } from './index-host.ts';
import { createLocalIndexHost } from './local-index-host.ts';
import { createMemory, type Memory, type Viewer } from './memory.ts';

const viewer = { teamId: 'team', tier: 'team' } as const;
const never = new AbortController().signal;

const plenty = 2 ** 30;

function memoryOf(feed: ItemFeed & RowFeed, host = createLocalIndexHost({ maxBytes: plenty })): Memory {
  return createMemory({ feed, passages: passageStoreInMemory(), host });
}

async function finds(
  memory: Memory,
  word: string,
  asking: Viewer = viewer,
  signal = never,
): Promise<boolean> {
  const { passages } = await memory.search(asking, { question: word, limit: 10 }, { signal });
  return passages.length > 0;
}

test('every question sees what was pushed before it, however many ask and push at once', async () => {
  const feed = feedsInMemory();
  const memory = memoryOf(feed);
  const answers: Promise<boolean>[] = [];
  for (let item = 0; item < 100; item += 1) {
    feed.push('team', feedItem(0, `word${item}`, { rowKey: `${item}.md` }));
    answers.push(finds(memory, `word${item}`));
    if (item % 3 === 0) await null;
  }
  expect((await Promise.all(answers)).filter((seen) => !seen)).toEqual([]);
});

test('a caller that goes away stops waiting with its own reason; the others get their answer', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  const held = Promise.withResolvers<void>();
  const memory = memoryOf({ ...feed, read: (...request) => held.promise.then(() => feed.read(...request)) });
  const leaving = new AbortController();
  const left = finds(memory, 'word', viewer, leaving.signal);
  const stayed = finds(memory, 'word');
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  held.resolve();
  expect(await stayed).toBe(true);
  await expect(finds(memory, 'word', viewer, leaving.signal)).rejects.toThrow('gone');
});

test('an outage of the feed is told, and over when the feed is back', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  let down = true;
  const memory = memoryOf({
    ...feed,
    read: (...request) => (down ? Promise.reject(new Error('outage')) : feed.read(...request)),
  });
  await expect(finds(memory, 'word')).rejects.toThrow('outage');
  down = false;
  expect(await finds(memory, 'word')).toBe(true);
});

test('teams and tiers see their own only', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  const memory = memoryOf(feed);
  for (const other of [
    { teamId: 'other', tier: 'team' },
    { teamId: 'team', tier: 'external' },
  ] as const) {
    expect(await finds(memory, 'word', other)).toBe(false);
  }
  expect(await finds(memory, 'word')).toBe(true);
});

test('following makes the index before anybody asks, and shares its work with questions', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  let reads = 0;
  const held = Promise.withResolvers<void>();
  const host = createLocalIndexHost({ maxBytes: plenty });
  const heldFeed = {
    ...feed,
    async read(...request: Parameters<ItemFeed['read']>) {
      reads += 1;
      await held.promise;
      return feed.read(...request);
    },
  };
  const memory = memoryOf(heldFeed, host);
  const following = memory.follow('team');
  const [first, second] = [finds(memory, 'word'), finds(memory, 'word')];
  const again = memory.follow('team');
  held.resolve();
  await following;
  expect(host.figures().teams).toBe(1);
  expect(await Promise.all([first, second])).toEqual([true, true]);
  await again;
  expect(reads).toBe(1);
});

test('without room for its index a team is followed all the same, so that a question finds its passages cut', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  const passages = passageStoreInMemory();
  const host = createLocalIndexHost({ maxBytes: 100_000 });
  const memory = createMemory({ feed, passages, host });
  while (host.figures().bytes < 75_000)
    await host.open(`other${host.figures().teams}`, { heads: itemsAt(0), asked: true });
  const { teams } = host.figures();
  await memory.follow('team');
  expect(host.figures()).toMatchObject({ teams, dropped: 0 });
  expect(await passages.cursor('team')).toBe(1);
  expect(await finds(memory, 'word')).toBe(true);
});

test('closing breaks off a catch-up after its page', async () => {
  const feed = feedsInMemory();
  for (let item = 0; item < 200; item += 1) feed.push('team', feedItem(0, 'word', { rowKey: `${item}.md` }));
  const passages = passageStoreInMemory();
  const reading = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const memory = createMemory({
    feed: {
      ...feed,
      async read(...request) {
        reading.resolve();
        await held.promise;
        return feed.read(...request);
      },
    },
    ...{ passages, host: createLocalIndexHost({ maxBytes: plenty }) },
  });
  const following = memory.follow('team');
  await reading.promise;
  const closing = memory.close();
  held.resolve();
  await expect(following).rejects.toMatchObject({ code: 'unavailable' });
  await closing;
  expect(await passages.cursor('team')).toBe(4);
});

test('an index that was dropped between two questions is made again for the second', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  feed.push('other', feedItem(0, 'other'));
  const host = createLocalIndexHost({ maxBytes: 50_000 });
  const memory = memoryOf(feed, host);
  for (let round = 0; round < 3; round += 1) {
    expect(await finds(memory, 'word')).toBe(true);
    expect(await finds(memory, 'other', { teamId: 'other', tier: 'team' })).toBe(true);
  }
  expect(host.figures()).toMatchObject({ teams: 1, dropped: 5 });
});

test('an item under which the host ends while it is cut is left out, and not tried again; the others are found', async () => {
  const feed = feedsInMemory();
  for (const word of ['one', 'poison', 'two']) feed.push('team', feedItem(0, word, { rowKey: `${word}.md` }));
  const host = createLocalIndexHost({ maxBytes: plenty });
  let cuts = 0;
  const fragile: IndexHost = {
    ...host,
    async cut(teamId, items) {
      cuts += 1;
      if (items.some(({ content }) => content === 'poison')) throw new IndexHostEnded(teamId);
      return host.cut(teamId, items);
    },
  };
  const refused: string[] = [];
  const passages = passageStoreInMemory();
  const indexWatch = {
    built: () => undefined,
    refused: (_team: string, rowKey: string) => refused.push(rowKey),
  };
  const memory = createMemory({ feed, passages, host: fragile, indexWatch });
  expect(await finds(memory, 'one')).toBe(true);
  expect(await finds(memory, 'two')).toBe(true);
  expect(await finds(memory, 'poison')).toBe(false);
  expect(refused).toEqual(['poison.md']);
  expect(cuts).toBe(4);
  feed.push('team', feedItem(0, 'antidote', { rowKey: 'poison.md' }));
  expect(await finds(memory, 'antidote')).toBe(true);
});
