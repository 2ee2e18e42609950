import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, createGzip, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { canMakeCertificates, makeCertificates } from '@teammemory/testkit/certificates.ts';
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

/** Begins to read an answer: the text of its first piece, of the next one, and its end. */
async function begin(limit: { connectMs?: number } = {}) {
  const { signal } = new AbortController();
  const call = createModelCall({ apiKey: undefined, accept: 'text/plain', signal, ...limit });
  await call.fetch(url, { method: 'POST', body: '{}' });
  const pieces = new EventEmitter();
  const nextText = async () => String((await once(pieces, 'piece'))[0]);
  const first = nextText();
  const ended = call.read((piece) => void pieces.emit('piece', piece));
  ended.catch(() => undefined);
  const text = await Promise.race([first, ended.then(() => first)]);
  return { call, text, nextText, ended };
}

const openConnections = () =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

test('a finished call leaves its connection to the next one', async () => {
  answer = (_request, response) => {
    response.write('all of it');
    setImmediate(() => response.end());
  };
  for (let asked = 0; asked < 3; asked += 1) {
    const { call, text, ended } = await begin();
    expect(text).toBe('all of it');
    call.finish();
    await ended;
  }
  expect(connections).toBe(1);
});

test('on such a connection the limit for connecting is no limit for the answer', async () => {
  const connectMs = 1_000;
  answer = (_request, response) => response.end('quick');
  const first = await begin({ connectMs });
  first.call.finish();
  await first.ended;
  answer = async (_request, response) => {
    await delay(2 * connectMs);
    response.end('slow');
  };
  expect((await begin({ connectMs })).text).toBe('slow');
  expect(connections).toBe(1);
});

test('a connection that no call has used for two seconds is closed, before a server would close it', async () => {
  answer = (_request, response) => response.end('all of it');
  const { call, ended } = await begin();
  call.finish();
  await ended;
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

test.for([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const)(
  'an answer that comes in %s, which was not asked for, is read all the same',
  async ([coding, compress]) => {
    answer = (request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      response.writeHead(200, { 'content-encoding': coding }).end(compress('all of it'));
    };
    for (let asked = 0; asked < 2; asked += 1) {
      const { call, text, ended } = await begin();
      expect(text).toBe('all of it');
      call.finish();
      await ended;
    }
    expect(connections).toBe(1);
  },
);

test('a compressed answer is given as it comes', async () => {
  const zip = createGzip();
  answer = (_request, response) => {
    zip.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }));
    zip.write('a part');
    zip.flush();
  };
  const { text, nextText } = await begin();
  expect(text).toBe('a part');
  const next = nextText();
  zip.end(', the rest');
  expect(await next).toBe(', the rest');
});

test('of an answer in a coding that nobody knows the bytes are given as they are', async () => {
  answer = (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'constructor' }).end('all of it');
  expect((await begin()).text).toBe('all of it');
});

test.for(['cut off', 'no gzip at all'])('an answer in gzip that is %s is an error', async (fault) => {
  const zipped = gzipSync('all of it');
  answer = (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    if (fault === 'cut off') response.write(zipped.subarray(0, 8), () => response.destroy());
    else response.end('all of it');
  };
  await expect(begin()).rejects.toThrow();
});

test.runIf(canMakeCertificates)(
  'a server with a certificate that nobody trusts is sent nothing',
  async () => {
    const { server: identity } = await makeCertificates();
    let requests = 0;
    const secure = createSecureServer({ key: identity.key, cert: identity.certificate }, () => {
      requests += 1;
    });
    await once(secure.listen(0, '127.0.0.1'), 'listening');
    const { port } = secure.address() as AddressInfo;
    const { signal } = new AbortController();
    const call = createModelCall({ apiKey: 'sk-secret', accept: 'text/plain', signal });
    const asked = call.fetch(`https://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
    await expect(asked).rejects.toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    expect(call.wasSent()).toBe(false);
    expect(requests).toBe(0);
    secure.close();
  },
);
