import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTeamMemoryClient } from './team-memory-client.ts';
import { eventStream, fakeFetch, jsonAnswer, type OpenBody, openBody } from './testing/fake-fetch.fixture.ts';

// No test waits for a real clock: connections, silence and backoff are moved by hand.
beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const changed = (items: string | null) =>
  `event: changed\ndata: ${JSON.stringify({ items, tasks: null, decisions: null })}\n\n`;

/** A client whose connections to the events are given to the test, one after another. */
function eventsOf(answers: (OpenBody | Response | Error)[], signal?: AbortSignal) {
  const openedAtMs: number[] = [];
  const client = createTeamMemoryClient({
    url: 'http://service.test',
    key: 'tms_a_b',
    team: 'demo',
    fetch: fakeFetch(({ path, signal: ended }) => {
      expect(path).toBe('/api/v1/events');
      openedAtMs.push(Date.now());
      const answer = answers.shift();
      if (answer === undefined) return new Promise(() => undefined);
      if (answer instanceof Error) throw answer;
      return answer instanceof Response ? answer : eventStream(answer, ended);
    }),
  });
  return { events: client.events({ signal }), openedAtMs };
}

describe('events', () => {
  it('yields what changed, past heartbeats and events of a later service', async () => {
    const body = openBody();
    const { events } = eventsOf([body]);
    body.write(`: heartbeat\n\nevent: later\ndata: {}\n\n${changed('2026-11-21T06:27:00.123Z')}`);
    const { value } = await events.next();
    expect(value).toEqual({ items: '2026-11-21T06:27:00.123Z', tasks: null, decisions: null });
    await events.return(undefined);
    await body.cancelled;
  });

  it('connects again when the server ends the stream', async () => {
    const [first, second] = [openBody(), openBody()];
    const { events } = eventsOf([first, second]);
    first.write(changed('a'));
    await events.next();
    first.end();
    second.write(changed('b'));
    const next = events.next();
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await next).value).toMatchObject({ items: 'b' });
  });

  it('gives up a connection that is silent for two heartbeats, and not before', async () => {
    const [first, second] = [openBody(), openBody()];
    const { events, openedAtMs } = eventsOf([first, second]);
    second.write(changed('b'));
    const next = events.next();
    await vi.advanceTimersByTimeAsync(29_000);
    first.write(': heartbeat\n\n');
    await vi.advanceTimersByTimeAsync(29_000);
    expect(openedAtMs).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(3_000);
    expect((await next).value).toMatchObject({ items: 'b' });
    await first.cancelled;
  });

  it('waits longer after each failure in a row, but never over half a minute', async () => {
    const outage = Array.from({ length: 12 }, () => new TypeError('fetch failed'));
    const body = openBody();
    body.write(changed('a'));
    const { events, openedAtMs } = eventsOf([...outage, body]);
    const next = events.next();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect((await next).value).toMatchObject({ items: 'a' });
    const waits = openedAtMs.slice(1).map((atMs, index) => atMs - (openedAtMs[index] ?? 0));
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
    expect(Math.min(...waits.slice(-4))).toBeGreaterThanOrEqual(15_000);
    expect(waits[0]).toBeLessThanOrEqual(500);
  });

  it('waits as long as a service that is not ready asks for', async () => {
    const problem = { code: 'unavailable', detail: 'Later.' };
    const body = openBody();
    body.write(changed('a'));
    const { events, openedAtMs } = eventsOf([jsonAnswer(503, problem, { 'retry-after': '7' }), body]);
    const next = events.next();
    await vi.advanceTimersByTimeAsync(6_900);
    expect(openedAtMs).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await next).value).toMatchObject({ items: 'a' });
  });

  it.each([
    [401, 'invalid_key'],
    [404, 'not_found'],
  ])('ends with a %i, which no waiting changes', async (status, code) => {
    const { events } = eventsOf([jsonAnswer(status, { code, detail: 'No.' })]);
    await expect(events.next()).rejects.toMatchObject({ name: 'ProblemError', status, code });
  });

  it('ends with cancelled when the signal aborts, while it reads and while it waits', async () => {
    const [reading, waiting] = [new AbortController(), new AbortController()];
    const open = eventsOf([openBody()], reading.signal).events.next();
    const away = eventsOf([new TypeError('fetch failed')], waiting.signal).events.next();
    const ended = Promise.allSettled([open, away]);
    await vi.advanceTimersByTimeAsync(100);
    reading.abort();
    waiting.abort();
    expect(await ended).toMatchObject([{ reason: { code: 'cancelled' } }, { reason: { code: 'cancelled' } }]);
  });
});
