import { Code, ConnectError, createRouterTransport } from '@connectrpc/connect';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { expect, test } from 'vitest';
import { contentInMemory } from '../content.fixture.ts';
import { feedItem } from '../domain/item.fixture.ts';
import { createContentItemFeed } from './content-item-feed.ts';

test('reads what is behind a position, with a token for content', async () => {
  const content = contentInMemory('token-for-content');
  for (const item of [1, 2, 3]) content.push('team', feedItem(item, `text ${item}`, { tier: 'external' }));
  const serviceToken = async (audience: string) => `token-for-${audience}`;
  const feed = createContentItemFeed({ transport: content.transport, serviceToken });
  expect(await feed.read('team', 1, 1)).toEqual({
    items: [feedItem(2, 'text 2', { tier: 'external' })],
    headSeq: 3,
  });
  expect(await feed.read('other', 0, 10)).toEqual({ items: [], headSeq: 0 });
});

test('a refusal of our own token is a fault of ours, never the caller’s', async () => {
  const { transport } = contentInMemory('good');
  const feed = createContentItemFeed({ transport, serviceToken: async () => 'bad' });
  await expect(feed.read('team', 0, 1)).rejects.toMatchObject({ code: 'internal' });
});

test('an outage is told as one', async () => {
  const transport = createRouterTransport(({ service }) => {
    service(ContentService, {
      readFeed() {
        throw new ConnectError('down', Code.Unavailable);
      },
    });
  });
  const feed = createContentItemFeed({ transport, serviceToken: async () => 'token' });
  await expect(feed.read('team', 0, 1)).rejects.toMatchObject({ code: 'unavailable' });
});

test('every call has a deadline', async () => {
  let timeoutMs: number | undefined;
  const transport = createRouterTransport(({ service }) => {
    service(ContentService, {
      readFeed(_, context) {
        timeoutMs = context.timeoutMs();
        return {};
      },
    });
  });
  await createContentItemFeed({ transport, serviceToken: async () => 'token' }).read('team', 0, 1);
  expect(timeoutMs).toBeGreaterThan(0);
  expect(timeoutMs).toBeLessThanOrEqual(10_000);
});
