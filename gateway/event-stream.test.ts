import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { type EventStream, startEventStream } from './event-stream.ts';

let close: (() => void) | undefined;
afterEach(() => {
  close?.();
  vi.useRealTimers();
});

/** One stream from a real server to a real client. */
async function openStream(): Promise<{
  stream: EventStream;
  response: ServerResponse;
  incoming: IncomingMessage;
}> {
  let begin: (response: ServerResponse) => void = () => undefined;
  const begun = new Promise<ServerResponse>((resolve) => {
    begin = resolve;
  });
  const server = createServer((_request, response) => begin(response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const arrived = new Promise<IncomingMessage>((resolve, reject) => {
    get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, resolve).on('error', reject);
  });
  const response = await begun;
  const stream = startEventStream(response, { 'x-request-id': 'r1' });
  return { stream, response, incoming: await arrived };
}

function textOf(incoming: IncomingMessage): () => string {
  let text = '';
  incoming.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  incoming.on('error', () => undefined);
  return () => text;
}

/** Waits, without timers, until a count has not changed for some turns of the event loop. */
async function untilStill(count: () => number): Promise<void> {
  const turns = 50;
  for (let unchanged = 0, last = -1; unchanged < turns; ) {
    await new Promise((resolve) => setImmediate(resolve));
    unchanged = count() === last ? unchanged + 1 : 0;
    last = count();
  }
}

test('headers are sent at once and tell proxies to pass events on', async () => {
  const { incoming, stream } = await openStream();
  expect(incoming.statusCode).toBe(200);
  expect(incoming.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': 'r1',
  });
  stream.end();
});

test('an event is one line of JSON, whatever its text', async () => {
  const { stream, incoming } = await openStream();
  const text = textOf(incoming);
  await stream.send('delta', { text: 'a\n\ndata: b\r' });
  stream.end();
  await eventually('the event', () => text() === 'event: delta\ndata: {"text":"a\\n\\ndata: b\\r"}\n\n');
});

test('a quiet stream gets a comment every 15 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { incoming, stream } = await openStream();
  const text = textOf(incoming);
  vi.advanceTimersByTime(30_000);
  vi.useRealTimers();
  await eventually('two comments', () => text() === ': keep-alive\n\n: keep-alive\n\n');
  stream.end();
});

test('sending waits for a reader without room, and continues when it has room', async () => {
  const { stream, incoming } = await openStream();
  const text = 'x'.repeat(1_000_000);
  let sent = 0;
  const sending = (async () => {
    for (; sent < 30; sent += 1) await stream.send('delta', { text });
  })();
  incoming.pause();
  await eventually('a full pipe', async () => {
    const before = sent;
    await new Promise((resolve) => setImmediate(resolve));
    return sent > 0 && sent === before && sent < 30;
  });
  incoming.resume();
  await sending;
  stream.end();
});

test('a reader that receives nothing is disconnected after 30 seconds, and little is buffered until then', async () => {
  const { stream, response, incoming } = await openStream();
  incoming.pause().on('error', () => undefined);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const text = 'x'.repeat(100_000);
  let sent = 0;
  let mostHeld = 0;
  const sending = (async () => {
    for (; ; sent += 1) {
      const taken = stream.send('delta', { text });
      mostHeld = Math.max(mostHeld, response.writableLength);
      await taken;
    }
  })();
  const dropped = expect(sending).rejects.toThrow('took nothing');
  await untilStill(() => sent);
  vi.advanceTimersByTime(29_999);
  expect(response.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(response.destroyed).toBe(true);
  await dropped;
  expect(mostHeld).toBeLessThan(2 * text.length);
});

test('sending to a reader that went away fails at once', async () => {
  const { stream, response, incoming } = await openStream();
  incoming.destroy();
  await eventually('the server to notice', () => response.destroyed);
  await expect(stream.send('delta', { text: 'late' })).rejects.toThrow('went away');
});
