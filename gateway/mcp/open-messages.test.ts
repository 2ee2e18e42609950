import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { asksModel, boundOpenMessages, isSubscription, messagesIn } from './open-messages.ts';

const [list, ask] = [{ method: 'tools/list' }, { method: 'tools/call', params: { name: 'ask' } }];
const listen = { method: 'subscriptions/listen' };
/** Bodies that are no message. */
const strange = [null, 7, 'text', [], {}, [null], [[ask]], { method: 'tools/call', params: null }];

test('every message of a batch counts, and what is no message counts as one', () => {
  expect([list, ask, listen, [list, ask, list], [listen]].map(messagesIn)).toEqual([1, 1, 1, 3, 1]);
  expect(strange.map(messagesIn)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
});

test('a body that is no message asks for neither an answer nor a stream', () => {
  expect([ask, [list, ask], list, listen, ...strange].filter(asksModel)).toEqual([ask, [list, ask]]);
  expect([listen, [listen], ask, ...strange].filter(isSubscription)).toEqual([listen]);
});

test('a key that has many messages in progress waits for its own, and others do not', async () => {
  const metrics = createMetrics();
  const permits = boundOpenMessages(metrics);
  const holder = { teamId: 'blue', keyId: 'a', address: '::1' };
  const held = await Promise.all(Array.from({ length: 4 }, () => permits.take(holder, 16)));
  const waiting = permits.take(holder, 1);
  await permits.take({ ...holder, keyId: 'b' }, 1);
  expect(permits.waiting()).toBe(1);
  held[0]?.();
  await waiting;
  expect(await metrics.registry.getSingleMetricAsString('teammemory_mcp_messages_open')).toMatch(
    /^teammemory_mcp_messages_open 50$/m,
  );
});
