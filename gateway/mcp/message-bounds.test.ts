import { processorMilliseconds } from '@teammemory/testkit/processor-time.ts';
import { expect, test } from 'vitest';
import { refuseLargeMessages } from './message-bounds.ts';

const large = 100_000;
const long = 'x'.repeat(257);

test('a batch has at most 16 messages', () => {
  const batch = (size: number) => Array.from({ length: size }, (_, id) => ({ id }));
  expect(() => refuseLargeMessages(batch(16), 1_000)).not.toThrow();
  expect(() => refuseLargeMessages(batch(17), 1_000)).toThrow('at most 16 messages');
});

test.for([
  ['/id', { id: long }],
  ['/method', { method: long }],
  ['/params/name', { params: { name: long } }],
  ['/params/_meta/progressToken', { params: { _meta: { progressToken: long } } }],
] as const)('%s is bounded, because answers repeat it', ([pointer, message]) => {
  for (const body of [message, [{ id: 1 }, message]]) {
    expect(() => refuseLargeMessages(body, 1_000)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        violations: [expect.objectContaining({ pointer })],
      }),
    );
  }
});

test('only the arguments of a tool may be large', () => {
  const text = 'x'.repeat(large);
  const call = { id: 1, method: 'tools/call', params: { name: 'push', arguments: { content: text } } };
  expect(() => refuseLargeMessages(call, large)).not.toThrow();
  for (const message of [
    { ...call, extra: text },
    { ...call, params: { ...call.params, uri: text } },
    { ...call, params: { ...call.params, _meta: { text } } },
  ]) {
    expect(() => refuseLargeMessages([{ ...call, id: 2 }, message], 2 * large)).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    );
  }
});

test('what is no message is left to the protocol', () => {
  for (const body of [null, 7, 'x'.repeat(large), [], [null], [[long]], { params: null }, { params: long }]) {
    expect(() => refuseLargeMessages(body, 1_000)).not.toThrow();
  }
});

test('a large text in the place of parameters is refused without taking it apart', () => {
  const message = { id: 1, method: 'x', params: 'x'.repeat(4_000_000) };
  const tookMs = processorMilliseconds(() =>
    expect(() => refuseLargeMessages(message, 4_000_000)).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    ),
  );
  // Seconds, if each character became a member of an object.
  expect(tookMs).toBeLessThan(500);
});

test('a batch has no request that is never answered: no id twice, none cancelled by the batch itself', () => {
  const [one, two] = [1, 2].map((id) => ({ id, method: 'ping' }));
  const cancelled = { method: 'notifications/cancelled', params: { requestId: 1 } };
  for (const batch of [
    [one, two, one],
    [one, cancelled],
    [cancelled, two],
  ]) {
    expect(() => refuseLargeMessages(batch, 1_000)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  }
  for (const body of [[one, two], [cancelled, cancelled], cancelled]) {
    expect(() => refuseLargeMessages(body, 1_000)).not.toThrow();
  }
});
