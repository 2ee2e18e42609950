import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createModelCall } from './model-call.ts';

let server: Server;
let url: string;
let answer: RequestListener;
let connections: number;

beforeEach(async () => {
  connections = 0;
  server = createServer((request, response) => answer(request, response));
  server.on('connection', () => {
    connections += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Reads an answer to its first piece. */
async function begin(connectMs?: number) {
  const call = createModelCall(undefined, new AbortController().signal, connectMs);
  await call.fetch(url, { method: 'POST', body: '{}' });
  return { call, text: Buffer.concat((await call.read()) ?? []).toString() };
}

const openConnections = () =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

test('a finished call leaves its connection to the next one', async () => {
  answer = (_request, response) => {
    response.write('all of it');
    setImmediate(() => response.end());
  };
  for (let asked = 0; asked < 3; asked += 1) {
    const { call, text } = await begin();
    expect(text).toBe('all of it');
    call.finish();
    await eventually('the end of the body', async () => (await call.read()) === undefined);
  }
  expect(connections).toBe(1);
});

test('on such a connection the limit for connecting is no limit for the answer', async () => {
  const connectMs = 200;
  answer = (_request, response) => response.end('quick');
  const first = await begin(connectMs);
  first.call.finish();
  await eventually('the end of the body', async () => (await first.call.read()) === undefined);
  answer = async (_request, response) => {
    await delay(3 * connectMs);
    response.end('slow');
  };
  expect((await begin(connectMs)).text).toBe('slow');
  expect(connections).toBe(1);
});

test('a connection that no call has used for two seconds is closed, before a server would close it', async () => {
  answer = (_request, response) => response.end('all of it');
  const { call } = await begin();
  call.finish();
  await eventually('the end of the body', async () => (await call.read()) === undefined);
  expect(await openConnections()).toBe(1);
  await eventually('no connection', async () => (await openConnections()) === 0, { withinMs: 4_500 });
});

test('a question that a server died of is not sent again: it may have cost something', async () => {
  let asked = 0;
  answer = (request) => {
    asked += 1;
    request.socket.destroy();
  };
  await expect(begin()).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(asked).toBe(1);
});

test('a server that does not end the body of a finished call, or never stops sending, is cut off', async () => {
  answer = (_request, response) => {
    const sending = setInterval(() => response.write('more'), 5);
    response.once('close', () => clearInterval(sending));
  };
  const { call } = await begin();
  call.finish();
  await eventually('no connection', async () => (await openConnections()) === 0);
});

test('a call that is broken off leaves no connection', async () => {
  answer = (_request, response) => response.write('a part');
  const { call } = await begin();
  call.end();
  await eventually('no connection', async () => (await openConnections()) === 0);
});
