import { Code, ConnectError, createRouterTransport, type HandlerContext } from '@connectrpc/connect';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { ContentService, FeedList } from '@teammemory/proto/content/v1/content_pb.ts';
import { expect, test } from 'vitest';
import { contentInMemory } from '../content.fixture.ts';
import { noFields } from '../domain/passages/passage.ts';
import { feedItem } from '../domain/passages/passages.fixture.ts';
import { createContentFeeds } from './content-feeds.ts';

test('reads what is behind a position, with a token for content', async () => {
  const content = contentInMemory('token-for-content');
  for (const item of [1, 2, 3]) content.push('team', feedItem(item, `text ${item}`, { tier: 'external' }));
  const serviceToken = async (audience: string) => `token-for-${audience}`;
  const feed = createContentFeeds({ transport: content.transport, serviceToken });
  expect(await feed.read('team', 1, 1)).toEqual({
    items: [feedItem(2, 'text 2', { tier: 'external', fields: noFields })],
    headSeq: 3,
  });
  expect(await feed.read('other', 0, 10)).toEqual({ items: [], headSeq: 0 });
});

test('reads how far all lists go, and each list to its end', async () => {
  const asked: unknown[] = [];
  const rowJson = (row: object) =>
    new TextEncoder().encode(JSON.stringify({ ...row, updated_at: '2026-11-02T' }));
  const transport = createRouterTransport(({ service }) => {
    service(ContentService, {
      readHeads: () => ({
        dataId: 'data',
        itemsSeq: 1n,
        tasksSeq: 2n,
        decisionsSeq: 3n,
        projectsVersion: 4n,
        externalVersion: '7.8.9',
      }),
      readFeed({ list, afterSeq }) {
        asked.push([list, afterSeq]);
        const state = { seq: 9n, rowId: 'id', tier: Tier.TEAM };
        const said = { title: 'A', status: 'open', body: '', source: { row_key: 'a.md' } };
        return { entries: [{ ...state, rowJson: rowJson(said) }], headSeq: 12n };
      },
      readProjects({ pageToken }) {
        const slug = pageToken === '' ? 'a' : 'b';
        return { projects: [{ slug, name: slug }], nextPageToken: pageToken === '' ? 'a' : '' };
      },
    });
  });
  const feeds = createContentFeeds({ transport, serviceToken: async () => 'token' });
  expect(await feeds.heads('team')).toEqual({
    dataId: 'data',
    items: 1,
    tasks: 2,
    decisions: 3,
    projects: 4,
    externalVersion: '7.8.9',
  });
  expect(await feeds.tasks('team', 5)).toMatchObject({
    rows: [{ seq: 9, source: { key: 'a.md' } }],
    headSeq: 12,
  });
  expect(await feeds.decisions('team', 6)).toMatchObject({ rows: [{ seq: 9, body: '' }], headSeq: 12 });
  expect(asked).toEqual([
    [FeedList.TASKS, 5n],
    [FeedList.DECISIONS, 6n],
  ]);
  expect(await Array.fromAsync(feeds.projects('team'))).toEqual([
    [{ slug: 'a', name: 'a' }],
    [{ slug: 'b', name: 'b' }],
  ]);
});

test('lists the feeds of all teams page by page, with a token for content', async () => {
  const asked: { pageToken: string; authorization: string | null }[] = [];
  const transport = createRouterTransport(({ service }) => {
    service(ContentService, {
      listFeeds({ pageToken }, { requestHeader }) {
        asked.push({ pageToken, authorization: requestHeader.get('authorization') });
        return { feeds: [{ teamId: 'team', seq: 7n }], nextPageToken: 'next' };
      },
    });
  });
  const feeds = createContentFeeds({ transport, serviceToken: async (audience) => `for-${audience}` });
  const answer = { feeds: [{ teamId: 'team', seq: 7 }], nextToken: 'next' };
  expect(await feeds.page('here', new AbortController().signal)).toEqual(answer);
  expect(asked).toEqual([{ pageToken: 'here', authorization: 'Bearer for-content' }]);
  await expect(feeds.page('', AbortSignal.abort())).rejects.toThrow();
});

test('a refusal of our own token is a fault of ours, never the caller’s', async () => {
  const { transport } = contentInMemory('good');
  const feed = createContentFeeds({ transport, serviceToken: async () => 'bad' });
  await expect(feed.read('team', 0, 1)).rejects.toMatchObject({ code: 'internal' });
});

/** All calls, to be tried in the same way. */
const calls: [string, (feed: ReturnType<typeof createContentFeeds>) => Promise<unknown>][] = [
  ['reading', (feed) => feed.read('team', 0, 1)],
  ['reading heads', (feed) => feed.heads('team')],
  ['reading tasks', (feed) => feed.tasks('team', 0)],
  ['reading projects', (feed) => Array.fromAsync(feed.projects('team'))],
  ['listing', (feed) => feed.page('', new AbortController().signal)],
];

test.for(calls)('an outage is told as one when %s', async ([, call]) => {
  const down = () => {
    throw new ConnectError('down', Code.Unavailable);
  };
  const transport = createRouterTransport(({ service }) => {
    service(ContentService, { readFeed: down, readHeads: down, readProjects: down, listFeeds: down });
  });
  const feed = createContentFeeds({ transport, serviceToken: async () => 'token' });
  await expect(call(feed)).rejects.toMatchObject({ code: 'unavailable' });
});

test.for(calls)('%s has a deadline', async ([, call]) => {
  let timeoutMs: number | undefined;
  const note = (_: unknown, context: HandlerContext) => {
    timeoutMs = context.timeoutMs();
    return {};
  };
  const transport = createRouterTransport(({ service }) => {
    service(ContentService, { readFeed: note, readHeads: note, readProjects: note, listFeeds: note });
  });
  await call(createContentFeeds({ transport, serviceToken: async () => 'token' }));
  expect(timeoutMs).toBeGreaterThan(0);
  expect(timeoutMs).toBeLessThanOrEqual(10_000);
});
