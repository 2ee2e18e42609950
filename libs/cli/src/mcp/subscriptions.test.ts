import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { createTeamMemoryClient } from '@teammemory/client/team-memory-client.ts';
import {
  eventStream,
  fakeFetch,
  jsonAnswer,
  openBody,
} from '@teammemory/client/testing/fake-fetch.fixture.ts';
import { expect, test } from 'vitest';
import { changedResources } from './changed-resources.ts';
import { createSubscriptions } from './subscriptions.ts';

const listen = (id: number, notifications: object): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method: 'subscriptions/listen',
  params: { notifications },
});
const cancelled = (requestId: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

/** Counts who reads changes, and has none. */
function countReaders() {
  let readers = 0;
  async function* changes(signal: AbortSignal): AsyncGenerator<string[]> {
    readers += 1;
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    readers -= 1;
  }
  const faults: unknown[] = [];
  const subscriptions = createSubscriptions({
    team: 'rivers',
    changes,
    onFault: (each) => faults.push(each),
  });
  return { subscriptions, readers: () => readers, faults };
}

test('changes are read from the first subscription to the end of the last', async () => {
  const { subscriptions, readers, faults } = countReaders();
  subscriptions.see({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  subscriptions.see(listen(2, { toolsListChanged: true }));
  expect(readers()).toBe(0);
  subscriptions.see(listen(3, { resourcesListChanged: true }));
  subscriptions.see(listen(4, { resourceSubscriptions: ['tms://rivers/a.md'] }));
  expect(readers()).toBe(1);
  subscriptions.see(cancelled(3));
  subscriptions.see(cancelled(99));
  expect(readers()).toBe(1);
  subscriptions.see(cancelled(4));
  await Promise.resolve();
  expect(readers()).toBe(0);
  subscriptions.see(listen(5, { resourcesListChanged: true }));
  expect(readers()).toBe(1);
  subscriptions.end();
  await Promise.resolve();
  expect([readers(), faults]).toEqual([0, []]);
});

test('what changes while the connection is made is told, then each change, and what an outage hid', async () => {
  const bodies = [openBody(), openBody()];
  const started = '2026-11-21T10:00:00.000Z';
  const queries: string[] = [];
  const client = createTeamMemoryClient({
    url: 'http://service',
    team: 'rivers',
    key: 'tms_id_secret',
    retries: 0,
    fetch: fakeFetch(({ path, signal }) => {
      if (path === '/api/v1/events') return eventStream(bodies.shift() as (typeof bodies)[0], signal);
      const [, list = '', query = ''] = /^\/api\/v1\/(\w+)\?(.*)$/.exec(path) ?? [];
      const given = new URLSearchParams(query);
      queries.push(`${list} ${given.get('cursor') ?? given.get('since')}`);
      const rows =
        list === 'items'
          ? { items: [{ row_key: `a b-${queries.length}.md`, updated_at: started, deleted: true }] }
          : { decisions: [] };
      return jsonAnswer(200, { ...rows, next_cursor: `c${queries.length}`, has_more: false });
    }),
  });
  const [first, second] = bodies;
  const end = new AbortController();
  let now = 1_000;
  const changes = changedResources(client, 'rivers', { signal: end.signal, clock: () => now });
  const next = changes.next();
  now += 2_000;
  const event = (items: string) =>
    `event: changed\ndata: ${JSON.stringify({ items, tasks: null, decisions: null })}\n\n`;
  first?.write(event(started));
  expect((await next).value).toEqual(['tms://rivers/a%20b-1.md']);

  first?.write(event(started));
  first?.write(event('2026-11-21T10:00:01.000Z'));
  expect((await changes.next()).value).toEqual(['tms://rivers/a%20b-3.md']);

  first?.end();
  second?.write(event('2026-11-21T10:00:02.000Z'));
  expect((await changes.next()).value).toEqual(['tms://rivers/a%20b-4.md']);
  // Two seconds to connect and one for the clocks; an unchanged list is not read again.
  expect(queries).toEqual(['items 2026-11-21T09:59:57.000Z', 'decisions null', 'items c1', 'items c3']);
  const last = changes.next();
  end.abort();
  await expect(last).rejects.toMatchObject({ code: 'cancelled' });
});
