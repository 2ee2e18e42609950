import { temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { expect, onTestFinished, test } from 'vitest';
import { hostInThisThread } from '../../search-index/search-index.fixture.ts';
import type { ItemFeed, RowFeed } from '../passages/feeds.ts';
import type { Tier } from '../passages/passage.ts';
import { feedItem, passageStoreInMemory } from '../passages/passages.fixture.ts';
import { feedDecision, feedsInMemory, feedTask } from '../rows/row.fixture.ts';
import type { RowChange } from '../rows/row.ts';
import { searchOver } from '../search/passage-search.fixture.ts';
import { type IndexHost, IndexHostEnded } from './index-host.ts';
import { listItemCoverage } from './item-coverage.ts';
import type { Viewer } from './team-indexes.ts';

const viewer = { teamId: 'team', tier: 'team' } as const;
const never = new AbortController().signal;

const plenty = 2 ** 30;

const indexesOf = (feed: ItemFeed & RowFeed, host?: IndexHost) => searchOver({ feed, ...(host && { host }) });

async function finds(
  { findPassages }: ReturnType<typeof searchOver>,
  word: string,
  asking: Viewer = viewer,
  signal = never,
): Promise<boolean> {
  const { passages } = await findPassages({ question: word, limit: 10 }, { viewer: asking, signal });
  return passages.length > 0;
}

test('every question sees what was pushed before it, however many ask and push at once', async () => {
  const feed = feedsInMemory();
  const indexes = indexesOf(feed);
  const answers: Promise<boolean>[] = [];
  for (let item = 0; item < 100; item += 1) {
    feed.push('team', feedItem(0, `word${item}`, { rowKey: `${item}.md` }));
    answers.push(finds(indexes, `word${item}`));
    if (item % 3 === 0) await null;
  }
  expect((await Promise.all(answers)).filter((seen) => !seen)).toEqual([]);
});

test('a guest does not wait for what guests cannot see, and a member does', async () => {
  const feed = feedsInMemory();
  let externalVersion = '1';
  let held: Promise<void> | undefined;
  const indexes = indexesOf({
    ...feed,
    heads: async (teamId) => ({ ...(await feed.heads(teamId)), externalVersion }),
    read: async (...request) => {
      await held;
      return feed.read(...request);
    },
  });
  const guest = { teamId: 'team', tier: 'external' } as const;
  feed.push('team', feedItem(0, 'shown', { rowKey: 'shown.md', tier: 'external' }));
  expect(await finds(indexes, 'shown', guest)).toBe(true);

  const reading = Promise.withResolvers<void>();
  held = reading.promise;
  feed.push('team', feedItem(0, 'hidden', { rowKey: 'hidden.md' }));
  const member = finds(indexes, 'hidden');
  expect(await finds(indexes, 'shown', guest)).toBe(true);
  reading.resolve();
  expect([await member, await finds(indexes, 'hidden', guest)]).toEqual([true, false]);

  feed.push('team', feedItem(0, 'later', { rowKey: 'later.md', tier: 'external' }));
  externalVersion = '2';
  expect(await finds(indexes, 'later', guest)).toBe(true);
});

test('a caller that goes away stops waiting with its own reason; the others get their answer', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  const held = Promise.withResolvers<void>();
  const indexes = indexesOf({
    ...feed,
    read: (...request) => held.promise.then(() => feed.read(...request)),
  });
  const leaving = new AbortController();
  const left = finds(indexes, 'word', viewer, leaving.signal);
  const stayed = finds(indexes, 'word');
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  held.resolve();
  expect(await stayed).toBe(true);
  await expect(finds(indexes, 'word', viewer, leaving.signal)).rejects.toThrow('gone');
});

test('an outage of the feed is told, and over when the feed is back', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  let down = true;
  const indexes = indexesOf({
    ...feed,
    read: (...request) => (down ? Promise.reject(new Error('outage')) : feed.read(...request)),
  });
  await expect(finds(indexes, 'word')).rejects.toThrow('outage');
  down = false;
  expect(await finds(indexes, 'word')).toBe(true);
});

test('teams and tiers see their own only', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  const indexes = indexesOf(feed);
  for (const other of [
    { teamId: 'other', tier: 'team' },
    { teamId: 'team', tier: 'external' },
  ] as const) {
    expect(await finds(indexes, 'word', other)).toBe(false);
  }
  expect(await finds(indexes, 'word')).toBe(true);
});

test('following shares its work with questions', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  let reads = 0;
  const held = Promise.withResolvers<void>();
  const host = hostInThisThread({ maxBytes: plenty });
  const heldFeed = {
    ...feed,
    async read(...request: Parameters<ItemFeed['read']>) {
      reads += 1;
      await held.promise;
      return feed.read(...request);
    },
  };
  const indexes = indexesOf(heldFeed, host);
  const following = indexes.follow('team');
  const [first, second] = [finds(indexes, 'word'), finds(indexes, 'word')];
  const again = indexes.follow('team');
  held.resolve();
  await following;
  expect(await Promise.all([first, second])).toEqual([true, true]);
  await again;
  // What began before the question, and what the question waited for.
  expect(reads).toBeLessThanOrEqual(2);
});

test('a team that nobody asked about is followed without an index, so that a question finds its passages cut', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  const passages = passageStoreInMemory();
  const host = hostInThisThread();
  const indexes = searchOver({ feed, passages, host });
  await indexes.follow('team');
  expect(host.figures().bytes).toBe(0);
  expect(await passages.cursor('team')).toBe(1);
  expect(await finds(indexes, 'word')).toBe(true);
  expect(host.figures().bytes).toBeGreaterThan(0);
});

test('after a restart an index that has everything is searched as it is, and only what changed is written', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  const passages = passageStoreInMemory();
  const files = await temporaryDirectory();
  onTestFinished(files.remove);
  let applied = 0;
  const started = () => {
    const local = hostInThisThread({ directory: files.path });
    const apply: IndexHost['apply'] = (...changes) => {
      applied += 1;
      return local.apply(...changes);
    };
    return searchOver({ feed, passages, host: { ...local, apply } });
  };
  expect(await finds(started(), 'word')).toBe(true);
  expect(applied).toBeGreaterThan(0);

  applied = 0;
  const again = started();
  await again.follow('team');
  expect([await finds(again, 'word'), applied]).toEqual([true, 0]);
  feed.push('team', feedItem(0, 'later', { rowKey: 'later.md' }));
  expect(await finds(again, 'later')).toBe(true);
  expect(applied).toBeGreaterThan(0);
});

test('every question sees decisions, tasks and projects as they were written before it, and what is gone no more', async () => {
  const feed = feedsInMemory();
  const local = hostInThisThread({ maxBytes: plenty });
  const rows = new Map<string, RowChange>();
  const host: IndexHost = {
    ...local,
    apply(teamId, changes) {
      for (const row of changes.rows ?? []) rows.set(row.id, row);
      return local.apply(teamId, changes);
    },
  };
  const indexes = indexesOf(feed, host);
  const sees = (word: string, tier: Tier = 'team') => finds(indexes, word, { teamId: 'team', tier });
  expect(await sees('blue')).toBe(false);
  for (let decision = 0; decision < 5; decision += 1)
    feed.putDecision('team', feedDecision(`${decision}`, { body: `word${decision} blue`, tier: 'external' }));
  feed.setProjects('team', [{ slug: 'mole', name: 'Breakwater' }]);
  expect([await sees('word4'), await sees('word0', 'external')]).toEqual([true, true]);
  expect([await sees('breakwater'), await sees('breakwater', 'external')]).toEqual([true, false]);
  feed.putTask('team', feedTask('mow'));
  feed.putDecision('team', { id: '4', tier: 'external', isGone: true });
  feed.putDecision('team', feedDecision('0', { body: 'internal', tier: 'team' }));
  feed.setProjects('team', []);
  expect([await sees('word4'), await sees('breakwater'), await sees('word0')]).toEqual([false, false, false]);
  expect([await sees('internal'), await sees('internal', 'external')]).toEqual([true, false]);
  expect(rows.get('mow')).toMatchObject({ kind: 'task', title: 'Task mow' });
  feed.putTask('team', { id: 'mow', tier: 'team', isGone: true });
  await sees('anything');
  expect(rows.get('mow')).toEqual({ kind: 'task', id: 'mow', isGone: true });
});

test('a row that moves while its list is read is found where it has moved', async () => {
  const feed = feedsInMemory();
  for (const id of ['a', 'b', 'c', 'd']) feed.putDecision('team', feedDecision(id, { body: `word-${id}` }));
  let moved = false;
  const indexes = indexesOf({
    ...feed,
    async decisions(teamId, afterSeq) {
      const page = await feed.decisions(teamId, afterSeq);
      // Behind the head that the question knows of.
      if (!moved) feed.putDecision('team', feedDecision('d', { body: 'word-d moved' }));
      moved = true;
      return page;
    },
  });
  for (const id of ['a', 'b', 'c', 'd']) expect(await finds(indexes, `word-${id}`)).toBe(true);
});

test('a row that has moved on before its page was read is read where it stands now; a feed without an end is a fault', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  feed.putDecision('team', feedDecision('a', { body: 'blue' }));
  let missed = 0;
  const missing = (times: number): ItemFeed & RowFeed => ({
    ...feed,
    async read(teamId, afterSeq, limit) {
      missed += 1;
      return missed <= times ? { items: [], headSeq: 1 } : feed.read(teamId, afterSeq, limit);
    },
    async decisions(teamId, afterSeq) {
      missed += 1;
      return missed <= 2 * times ? { rows: [], headSeq: 1 } : feed.decisions(teamId, afterSeq);
    },
  });
  const indexes = indexesOf(missing(2));
  expect([await finds(indexes, 'word'), await finds(indexes, 'blue')]).toEqual([true, true]);
  expect(missed).toBeGreaterThan(4);
  await expect(finds(indexesOf(missing(Infinity)), 'word')).rejects.toMatchObject({ code: 'internal' });
});

test('where nothing has moved a question costs one call', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  feed.putTask('team', feedTask('a'));
  feed.putDecision('team', feedDecision('b'));
  feed.setProjects('team', [{ slug: 'mole', name: 'Breakwater' }]);
  const calls: string[] = [];
  const counting = Object.fromEntries(
    Object.entries(feed).map(([name, call]) => [
      name,
      (...request: unknown[]) => {
        calls.push(name);
        return (call as (...request: unknown[]) => unknown)(...request);
      },
    ]),
  ) as unknown as typeof feed;
  const indexes = indexesOf(counting);
  expect(await finds(indexes, 'word')).toBe(true);
  expect(new Set(calls)).toEqual(new Set(['heads', 'read', 'decisions', 'tasks', 'projects']));
  calls.length = 0;
  expect(await finds(indexes, 'word')).toBe(true);
  expect(calls).toEqual(['heads']);
});

test('a search is as of the day of the service, or of the one that it names', async () => {
  const days: (string | undefined)[] = [];
  const local = hostInThisThread({ maxBytes: plenty });
  const host: IndexHost = {
    ...local,
    search(teamId, request) {
      days.push(request.today);
      return local.search(teamId, request);
    },
  };
  const clock = () => Date.UTC(2026, 10, 22, 23, 59);
  const indexes = searchOver({ feed: feedsInMemory(), passages: passageStoreInMemory(), host, clock });
  const request = { question: 'word', limit: 1 };
  await indexes.findPassages(request, { viewer, signal: never });
  await indexes.findPassages({ ...request, today: '2026-01-01' }, { viewer, signal: never });
  expect(days).toEqual(['2026-11-22', '2026-01-01']);
});

test('closing breaks off a catch-up after its page', async () => {
  const feed = feedsInMemory();
  for (let item = 0; item < 200; item += 1) feed.push('team', feedItem(0, 'word', { rowKey: `${item}.md` }));
  const passages = passageStoreInMemory();
  const reading = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const indexes = searchOver({
    feed: {
      ...feed,
      async read(...request) {
        reading.resolve();
        await held.promise;
        return feed.read(...request);
      },
    },
    passages,
    host: hostInThisThread({ maxBytes: plenty }),
  });
  const following = indexes.follow('team');
  await reading.promise;
  const closing = indexes.close();
  held.resolve();
  await expect(following).rejects.toMatchObject({ code: 'unavailable' });
  await closing;
  expect(await passages.cursor('team')).toBe(4);
});

test('an index that was dropped between two questions is made again for the second', async () => {
  const feed = feedsInMemory();
  feed.push('team', feedItem(0, 'word'));
  feed.push('other', feedItem(0, 'other'));
  const host = hostInThisThread();
  const indexes = indexesOf(feed, host);
  for (let round = 0; round < 3; round += 1) {
    expect(await finds(indexes, 'word')).toBe(true);
    expect(await finds(indexes, 'other', { teamId: 'other', tier: 'team' })).toBe(true);
    await host.forget('team');
  }
});

test('an item under which the host ends while it is cut is left out, and not tried again; the others are found', async () => {
  const feed = feedsInMemory();
  for (const word of ['one', 'poison', 'two']) feed.push('team', feedItem(0, word, { rowKey: `${word}.md` }));
  const host = hostInThisThread({ maxBytes: plenty });
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
  const indexes = searchOver({ feed, passages, host: fragile, indexWatch });
  expect(await finds(indexes, 'one')).toBe(true);
  expect(await finds(indexes, 'two')).toBe(true);
  expect(await finds(indexes, 'poison')).toBe(false);
  expect(refused).toEqual(['poison.md']);
  expect(cuts).toBe(4);
  const asking = { viewer, signal: never };
  expect(await listItemCoverage({ indexes, passages }, ['poison.md'], asking)).toMatchObject([
    { passages: 0, reason: 'not_readable' },
  ]);
  feed.push('team', feedItem(0, 'antidote', { rowKey: 'poison.md' }));
  expect(await finds(indexes, 'antidote')).toBe(true);
});
