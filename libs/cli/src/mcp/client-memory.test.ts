import { createTeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import { fakeFetch, jsonAnswer, type SeenRequest } from '@teammemory/client/testing/fake-fetch.fixture.ts';
import { MemoryError } from '@teammemory/mcp/memory.ts';
import { describe, expect, test } from 'vitest';
import { createClientMemory } from './client-memory.ts';

const holder = { team: 'rivers', member: 'ada', tier: 'team', access: 'write' } as const;

/** The memory of a service that answers every request so. */
function memoryOf(answer: (request: SeenRequest) => Response | Promise<Response>) {
  const options = { url: 'http://service', team: 'rivers', key: 'tms_id_secret', retries: 0 };
  return createClientMemory(createTeamMemoryClient({ ...options, fetch: fakeFetch(answer) }), () => holder);
}

const call = () => ({ signal: new AbortController().signal });

async function refusalOf(work: Promise<unknown>): Promise<MemoryError> {
  const refusal = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(refusal).toBeInstanceOf(MemoryError);
  return refusal as MemoryError;
}

describe('a refusal of the service', () => {
  test('keeps its code, the fields that break a rule and when to try again', async () => {
    const memory = memoryOf(() =>
      jsonAnswer(
        429,
        {
          code: 'rate_limited',
          detail: 'Too many.',
          errors: [{ pointer: '/q', detail: 'is too long' }],
        },
        { 'retry-after': '7' },
      ),
    );
    expect(await refusalOf(memory.search('why', { limit: 5, ...call() }))).toMatchObject({
      code: 'rate_limited',
      message: 'Too many. q is too long.',
      retryAfterSeconds: 7,
    });
  });

  test('of one item is that of the push, with the checksum of what is stored', async () => {
    const errors = [
      { index: 0, code: 'conflict', detail: 'Others changed it.', current_checksum: 'sha256:1' },
    ];
    const memory = memoryOf(() =>
      jsonAnswer(422, { code: 'invalid_request', accepted: 0, rejected: 1, errors }),
    );
    const item = { row_key: 'a.md', content: 'A', frontmatter: {}, tier: 'team', checksum: 'sha256:2' };
    expect(await refusalOf(memory.pushItem({ ...item, base_checksum: null }, call()))).toMatchObject({
      code: 'conflict',
      currentChecksum: 'sha256:1',
    });
  });

  test('is told while an answer streams, too', async () => {
    const stream =
      'event: delta\ndata: {"text":"We"}\n\nevent: error\ndata: {"code":"unavailable","detail":"No."}\n\n';
    const memory = memoryOf(() => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }));
    const parts = memory.ask('when', call())[Symbol.asyncIterator]();
    expect((await parts.next()).value).toEqual({ type: 'delta', text: 'We' });
    expect(await refusalOf(parts.next())).toMatchObject({ code: 'unavailable', message: 'No.' });
  });
});

test('an outage is unavailable, and no cause is told', async () => {
  const memory = memoryOf(() => {
    throw Object.assign(new TypeError('fetch failed'), { cause: new Error('secret') });
  });
  const refusal = await refusalOf(memory.getItem('a.md', call()));
  expect(refusal.code).toBe('unavailable');
  expect(refusal.message).toMatch(/^The service cannot be reached/);
  expect(refusal.message).not.toContain('secret');
});

test('a call that is cancelled ends the request', async () => {
  const cancel = new AbortController();
  let seen: AbortSignal | undefined;
  const memory = memoryOf(({ signal }) => {
    seen = signal;
    cancel.abort();
    return new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  expect(await refusalOf(memory.getItem('a.md', { signal: cancel.signal }))).toMatchObject({
    code: 'cancelled',
  });
  expect(seen?.aborted).toBe(true);
});

test.each(['', '.', '..'])('%j, which no address can hold, is the name of nothing', async (rowKey) => {
  const memory = memoryOf(() => jsonAnswer(200, {}));
  expect(await refusalOf(memory.getItem(rowKey, call()))).toMatchObject({ code: 'not_found' });
});

test('lists have removed rows, and items are summaries', async () => {
  const paths: string[] = [];
  const memory = memoryOf(({ path }) => {
    paths.push(path);
    const rows = [{ row_key: 'a.md', updated_at: '2026-11-21T00:00:00.000Z', deleted: true }];
    return jsonAnswer(200, { items: rows, next_cursor: 'c1', has_more: false });
  });
  expect(await memory.listItems({ cursor: 'c0', limit: 5, prefix: 'a' }, call())).toMatchObject({
    rows: [{ row_key: 'a.md', deleted: true }],
    nextCursor: 'c1',
    hasMore: false,
  });
  expect(paths).toEqual(['/api/v1/items?cursor=c0&limit=5&include_deleted=true&prefix=a&view=summary']);
});
