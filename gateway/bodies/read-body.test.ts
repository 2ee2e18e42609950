import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { Permits } from '@teammemory/admission/permits.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { smallBodyBytes } from './body-limits.ts';
import { type BodyEncoding, bodyReading } from './read-body.ts';

const holder = { teamId: 'team', keyId: 'key', address: '127.0.0.1' };
const bounds = { maxBytes: 1024 * 1024, maxValues: 1_000, maxLevels: 20 };

/** Permits of which the test says when they are free. */
function permits(free: Promise<void> = Promise.resolve()): Permits {
  const giveBack = () => undefined;
  return { acquire: () => giveBack, take: () => free.then(() => giveBack), held: () => 0, waiting: () => 0 };
}

/** A request whose whole body was received before anybody reads it, and its connection. */
function wholeRequest(body: Buffer) {
  const socket = Object.assign(new EventEmitter(), { pause: vi.fn(), resume: vi.fn() });
  const stream = Readable.from([body], { objectMode: false });
  const payload = Object.assign(stream, { headers: {}, socket }) as unknown as IncomingMessage;
  return { payload, socket };
}

function reading(payload: IncomingMessage, large: Permits, encoding?: BodyEncoding) {
  const budget = { small: permits(), large, strangers: permits(), work: permits() };
  return bodyReading({ payload, bounds, encoding, holder, budget });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a body that was received before its room was free is read whole', async () => {
  const text = JSON.stringify('x'.repeat(2 * smallBodyBytes));
  const { promise: free, resolve: setFree } = Promise.withResolvers<void>();
  const { payload } = wholeRequest(Buffer.from(text));
  const read = reading(payload, permits(free)).read();
  await new Promise((resolve) => payload.once('end', resolve));
  setFree();
  expect((await read).bytes.toString()).toBe(text);
});

test.for(['{}', '{"a"'])('a connection is not touched once the gzip body %s was read', async (json) => {
  const { payload, socket } = wholeRequest(gzipSync(json));
  await reading(payload, permits(), 'gzip').read();
  socket.pause.mockClear();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(socket.pause).not.toHaveBeenCalled();
});
