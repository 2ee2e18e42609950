import { Code, ConnectError, createRouterTransport, type HandlerContext } from '@connectrpc/connect';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { expect, test } from 'vitest';
import { contentInMemory } from '../content.fixture.ts';
import { noFields } from '../domain/passages/fields.ts';
import { feedItem } from '../domain/passages/item.fixture.ts';
import { createContentItemFeed } from './content-item-feed.ts';

test('reads what is behind a position, with a token for content', async () => {
  const content = contentInMemory('token-for-content');
  for (const item of [1, 2, 3]) content.push('team', feedItem(item, `text ${item}`, { tier: 'external' }));
  const serviceToken = async (audience: string) => `token-for-${audience}`;
  const feed = createContentItemFeed({ transport: content.transport, serviceToken });
  expect(await feed.read('team', 1, 1)).toEqual({
    items: [feedItem(2, 'text 2', { tier: 'external', fields: noFields })],
    headSeq: 3,
  });
  expect(await feed.read('other', 0, 10)).toEqual({ items: [], headSeq: 0 });
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
  const feeds = createContentItemFeed({ transport, serviceToken: async (audience) => `for-${audience}` });
  const answer = { feeds: [{ teamId: 'team', seq: 7 }], nextToken: 'next' };
  expect(await feeds.page('here', new AbortController().signal)).toEqual(answer);
  expect(asked).toEqual([{ pageToken: 'here', authorization: 'Bearer for-content' }]);
  await expect(feeds.page('', AbortSignal.abort())).rejects.toThrow();
});

test('a refusal of our own token is a fault of ours, never the caller’s', async () => {
  const { transport } = contentInMemory('good');
  const feed = createContentItemFeed({ transport, serviceToken: async () => 'bad' });
  await expect(feed.read('team', 0, 1)).rejects.toMatchObject({ code: 'internal' });
});

/** Both calls, to be tried in the same way. */
const calls: [string, (feed: ReturnType<typeof createContentItemFeed>) => Promise<unknown>][] = [
  ['reading', (feed) => feed.read('team', 0, 1)],
  ['listing', (feed) => feed.page('', new AbortController().signal)],
];

test.for(calls)('an outage is told as one when %s', async ([, call]) => {
  const down = () => {
    throw new ConnectError('down', Code.Unavailable);
  };
  const transport = createRouterTransport(({ service }) => {
    service(ContentService, { readFeed: down, listFeeds: down });
  });
  const feed = createContentItemFeed({ transport, serviceToken: async () => 'token' });
  await expect(call(feed)).rejects.toMatchObject({ code: 'unavailable' });
});

test.for(calls)('%s has a deadline', async ([, call]) => {
  let timeoutMs: number | undefined;
  const note = (_: unknown, context: HandlerContext) => {
    timeoutMs = context.timeoutMs();
    return {};
  };
  const transport = createRouterTransport(({ service }) => {
    service(ContentService, { readFeed: note, listFeeds: note });
  });
  await call(createContentItemFeed({ transport, serviceToken: async () => 'token' }));
  expect(timeoutMs).toBeGreaterThan(0);
  expect(timeoutMs).toBeLessThanOrEqual(10_000);
});
