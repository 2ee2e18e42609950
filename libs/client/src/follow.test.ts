import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTeamMemoryClient } from './team-memory-client.ts';
import {
  eventStream,
  fakeFetch,
  jsonAnswer,
  type OpenBody,
  openBody,
  type SeenRequest,
} from './testing/fake-fetch.fixture.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A service that has a feed of numbered items, and events unless it is an older one. */
function followed({ events }: { events: OpenBody | undefined }) {
  const feed: string[] = [];
  const service = { feed, isDown: false, refusal: undefined as Response | undefined, pages: 0 };
  const stop = new AbortController();
  const answer = ({ path, signal }: SeenRequest): Response => {
    if (path === '/api/v1/events') {
      return events
        ? eventStream(events, signal)
        : jsonAnswer(404, { code: 'not_found', detail: 'No such path.' });
    }
    if (service.isDown) throw new TypeError('fetch failed');
    if (service.refusal) return service.refusal;
    service.pages += 1;
    const position = Number(new URLSearchParams(path.split('?')[1]).get('cursor') ?? 0);
    const items = feed.slice(position, position + 2).map((row_key) => ({
      row_key,
      updated_at: '2026-11-21T06:27:00.123Z',
      deleted: true,
    }));
    const next = position + items.length;
    return jsonAnswer(200, { items, next_cursor: String(next), has_more: next < feed.length });
  };
  const client = createTeamMemoryClient({
    url: 'http://service.test',
    key: 'tms_a_b',
    team: 'demo',
    fetch: fakeFetch(answer),
  });
  return { service, stop, pages: client.follow({ includeDeleted: true, signal: stop.signal }) };
}

const rowKeys = (result: IteratorResult<{ items: { row_key: string }[] }>) =>
  result.done ? undefined : result.value.items.map(({ row_key }) => row_key);
const ring = (body: OpenBody, items: string) =>
  body.write(`event: changed\ndata: {"items":"${items}","tasks":null,"decisions":null}\n\n`);

describe('follow', () => {
  it('reads what there is, and goes on as soon as an event tells of a change', async () => {
    const events = openBody();
    const { service, pages } = followed({ events });
    service.feed.push('a', 'b', 'c');
    expect(rowKeys(await pages.next())).toEqual(['a', 'b']);
    expect(rowKeys(await pages.next())).toEqual(['c']);
    const next = pages.next();
    await vi.advanceTimersByTimeAsync(1_000);
    service.feed.push('d');
    ring(events, 't1');
    await vi.advanceTimersByTimeAsync(0);
    expect(rowKeys(await next)).toEqual(['d']);
    await pages.return(undefined);
    await events.cancelled;
  });

  it('yields one empty page at the start, for its cursor, and no other', async () => {
    const events = openBody();
    const { service, pages } = followed({ events });
    expect(rowKeys(await pages.next())).toEqual([]);
    const next = pages.next();
    ring(events, 't1');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(service.pages).toBe(2);
    service.feed.push('a');
    ring(events, 't2');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(rowKeys(await next)).toEqual(['a']);
  });

  it('looks by itself where the service has no events, or an event was lost', async () => {
    for (const events of [undefined, openBody()]) {
      const { service, pages } = followed({ events });
      await pages.next();
      const next = pages.next();
      service.feed.push('a');
      await vi.advanceTimersByTimeAsync(60_000);
      expect(rowKeys(await next)).toEqual(['a']);
    }
  });

  it('waits out an outage without losing its position', async () => {
    const events = openBody();
    const { service, pages } = followed({ events });
    service.feed.push('a', 'b');
    await pages.next();
    service.isDown = true;
    const next = pages.next();
    ring(events, 't1');
    await vi.advanceTimersByTimeAsync(120_000);
    service.isDown = false;
    service.feed.push('c');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(rowKeys(await next)).toEqual(['c']);
  });

  it('ends with a refusal, and with cancelled when its signal aborts', async () => {
    const refused = followed({ events: openBody() });
    refused.service.refusal = jsonAnswer(422, { code: 'invalid_cursor', detail: 'Not ours.' });
    await expect(refused.pages.next()).rejects.toMatchObject({ code: 'invalid_cursor' });

    const events = openBody();
    const { stop, pages } = followed({ events });
    await pages.next();
    const next = pages.next();
    const ended = expect(next).rejects.toMatchObject({ code: 'cancelled' });
    await vi.advanceTimersByTimeAsync(1_000);
    stop.abort();
    await ended;
    await events.cancelled;
  });
});
