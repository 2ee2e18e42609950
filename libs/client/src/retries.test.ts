import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NewItem } from './item.ts';
import type { Retry } from './retries.ts';
import {
  createTeamMemoryClient,
  type TeamMemoryClient,
  type TeamMemoryClientOptions,
} from './team-memory-client.ts';
import { fakeFetch, jsonAnswer } from './testing/fake-fetch.fixture.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const item: NewItem = { row_key: 'a.md', content: 'A', frontmatter: {}, tier: 'team', checksum: 'sha256:00' };
const based = { ...item, base_checksum: null };

/** What a server, a proxy or the network does to a request. */
const failures = {
  limit: () => jsonAnswer(429, { code: 'rate_limited', detail: 'Too many.' }, { 'retry-after': '2' }),
  unavailable: () => jsonAnswer(503, { code: 'unavailable', detail: 'Later.' }, { 'retry-after': '2' }),
  proxy: () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
  lost: () => {
    throw new TypeError('fetch failed');
  },
  silent: () => new Promise<Response>(() => undefined),
  cap: () => jsonAnswer(429, { code: 'daily_cap_exceeded', detail: 'Used up.' }, { 'retry-after': '2' }),
  refused: () => jsonAnswer(422, { code: 'invalid_request', detail: 'No.' }),
  key: () => jsonAnswer(401, { code: 'invalid_key', detail: 'No.' }),
} satisfies Record<string, () => Response | Promise<Response>>;

type Failure = keyof typeof failures;
const every = Object.keys(failures) as Failure[];

const calls: Record<string, (client: TeamMemoryClient) => Promise<unknown>> = {
  'a read': (client) => client.getItem('a.md'),
  'a page': (client) => client.listItems(),
  'a search': (client) => client.search('why?'),
  'a push with bases': (client) => client.pushItems([based, { ...based, base_checksum: 'sha256:11' }]),
  'a push of which one item has no base': (client) => client.pushItems([based, item]),
  'a removal with a base': (client) => client.deleteItem('a.md', { baseChecksum: 'sha256:00' }),
  'a removal without a base': (client) => client.deleteItem('a.md'),
  'a question': (client) => client.ask('why?').next(),
};

/** Makes a call that fails so each time, and returns how often it was sent. */
async function timesSent(
  call: (client: TeamMemoryClient) => Promise<unknown>,
  failure: Failure,
  options: Partial<TeamMemoryClientOptions> = {},
): Promise<number> {
  let sent = 0;
  const client = createTeamMemoryClient({
    url: 'http://service.test',
    key: 'tms_a_b',
    team: 'demo',
    timeoutMs: 1_000,
    fetch: fakeFetch(() => {
      sent += 1;
      return failures[failure]();
    }),
    ...options,
  });
  const failed = expect(call(client)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  await failed;
  return sent;
}

describe('the table of what may be sent again', () => {
  const mayPass: Failure[] = ['limit', 'unavailable', 'proxy', 'lost', 'silent'];
  it.each([
    ['a read', mayPass],
    ['a page', mayPass],
    ['a push with bases', mayPass],
    ['a push of which one item has no base', ['limit']],
    ['a removal with a base', mayPass],
    ['a removal without a base', ['limit']],
    ['a question', []],
  ] as [string, Failure[]][])(
    '%s is sent four times after %j, and once after anything else',
    async (name, again) => {
      const call = calls[name];
      if (call === undefined) throw new Error(name);
      for (const failure of every) {
        expect(await timesSent(call, failure), failure).toBe(again.includes(failure) ? 4 : 1);
      }
    },
  );
});

describe('retries', () => {
  it('are as many as the client or the call says', async () => {
    const read = (client: TeamMemoryClient) => client.listItems();
    expect(await timesSent(read, 'lost', { retries: 0 })).toBe(1);
    expect(await timesSent(read, 'lost', { retries: 6 })).toBe(7);
    expect(await timesSent((client) => client.listItems({ retries: 1 }), 'lost', { retries: 6 })).toBe(2);
  });

  it('leave the wait for a limit to a caller who wants it, and no other wait', async () => {
    const push = (client: TeamMemoryClient) => client.pushItems([based], { retryLimited: false });
    expect(await timesSent(push, 'limit')).toBe(1);
    expect(await timesSent(push, 'lost')).toBe(4);
  });

  it('wait as long as the answer asks for, and are given up at once where that is too long', async () => {
    const waits: Retry[] = [];
    const onRetry = (retry: Retry) => waits.push(retry);
    await timesSent((client) => client.listItems(), 'limit', { onRetry });
    expect(waits.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    for (const { waitMs, error } of waits) {
      expect(waitMs).toBeGreaterThanOrEqual(2_000);
      expect(waitMs).toBeLessThanOrEqual(2_500);
      expect(error.code).toBe('rate_limited');
    }
    expect(await timesSent((client) => client.listItems(), 'limit', { maxRetryWaitMs: 1_000 })).toBe(1);
  });

  it('double their waits, with a random part', async () => {
    const waits: number[] = [];
    await timesSent((client) => client.listItems(), 'lost', {
      retries: 8,
      onRetry: ({ waitMs }) => waits.push(waitMs),
    });
    for (const [index, waitMs] of waits.entries()) {
      const longest = Math.min(500 * 2 ** index, 30_000);
      expect(waitMs).toBeGreaterThanOrEqual(longest / 2);
      expect(waitMs).toBeLessThanOrEqual(longest);
    }
    expect(new Set(waits).size).toBe(8);
  });

  it('end when the caller cancels during a wait', async () => {
    const stop = new AbortController();
    const client = createTeamMemoryClient({
      url: 'http://service.test',
      key: 'tms_a_b',
      team: 'demo',
      fetch: fakeFetch(failures.limit),
      onRetry: () => stop.abort(),
    });
    await expect(client.listItems({ signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('succeed with the answer of the attempt that succeeds', async () => {
    const answers = [failures.proxy(), failures.unavailable()];
    const client = createTeamMemoryClient({
      url: 'http://service.test',
      key: 'tms_a_b',
      team: 'demo',
      fetch: fakeFetch(() => answers.shift() ?? jsonAnswer(200, { projects: [] })),
    });
    const projects = client.listProjects();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await projects).toEqual({ projects: [] });
  });
});
