import { createSocket } from 'node:dgram';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAddressRules } from '@teammemory/admission/outbound/addresses.ts';
import { createResolve } from '@teammemory/admission/outbound/pinned-lookup.ts';
import { canMakeCertificates, makeCertificates } from '@teammemory/testkit/certificates.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { createEventSender, maxRetryAfterMs, retryAfterFrom } from './event-sender.ts';

const local = createAddressRules(['127.0.0.1']);
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(listener: RequestListener, make: () => Server = createServer): Promise<number> {
  const server = make().on('request', listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Answers a query of DNS (RFC 1035) with one address: 192.0.2.7, or 2001:db8::7 if it asks for AAAA. */
function dnsAnswer(query: Buffer): Buffer {
  const questionEnd = query.indexOf(0, 12) + 5;
  const isIpv6 = query.readUInt16BE(questionEnd - 4) === 28;
  const address = Buffer.from(isIpv6 ? `20010db8${'0'.repeat(22)}07` : 'c0000207', 'hex');
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(isIpv6 ? 28 : 1, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(address.length, 10);
  // An answer to this query, with one question and one record.
  const header = Buffer.concat([query.subarray(0, 2), Buffer.from('81800001000100000000', 'hex')]);
  return Buffer.concat([header, query.subarray(12, questionEnd), record, address]);
}

const never = new AbortController().signal;
const event = { headers: { 'webhook-id': 'evt_1' }, body: '{"a":1}', signal: never };
const sendTo = (url: string, more: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  createEventSender({ rules: local })({ url, ...event, ...more });

test('a receiver gets the headers and the body, and its status says how it went', async () => {
  const got: unknown[] = [];
  const port = await serve(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    got.push({ method: request.method, url: request.url, id: request.headers['webhook-id'], body });
    response.writeHead(Number(request.url?.slice(1)), { 'retry-after': '7' }).end();
  });
  const statuses = [200, 204, 299, 301, 302, 307, 400, 404, 410, 429, 500, 503];
  const results = [];
  for (const status of statuses) results.push(await sendTo(`http://127.0.0.1:${port}/${status}`));
  expect(got[0]).toEqual({ method: 'POST', url: '/200', id: 'evt_1', body: '{"a":1}' });
  expect(got).toHaveLength(statuses.length);
  expect(results.map(({ outcome }) => outcome)).toEqual([
    ...['delivered', 'delivered', 'delivered', 'failed', 'failed', 'failed'],
    ...['failed', 'failed', 'gone', 'failed', 'failed', 'failed'],
  ]);
  expect(results.at(-1)).toEqual({
    outcome: 'failed',
    text: 'answered with status 503',
    retryAfterMs: 7_000,
  });
});

describe('where a name leads', () => {
  const resolving = (...addresses: string[]) => {
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return addresses;
    };
    return { asked, resolve };
  };

  test('is asked once, and only what was checked is called, whatever the name is said to be later', async () => {
    const hosts: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      hosts.push(request.headers.host);
      response.end();
    });
    const { asked, resolve } = resolving('10.0.0.1', '169.254.169.254', '127.0.0.1', '::1');
    const send = createEventSender({ rules: local, resolve });
    const url = `http://hooks.example.org:${port}/`;
    expect(await send({ url, ...event })).toMatchObject({ outcome: 'delivered' });
    expect(asked).toEqual(['hooks.example.org']);
    expect(hosts).toEqual([`hooks.example.org:${port}`]);
  });

  test.each([
    ['https://hooks.example.org/', ['10.0.0.1', '::ffff:10.0.0.1', 'fd00::1']],
    ['https://hooks.example.org/', []],
    ['http://hooks.example.org/', ['93.184.216.34']],
    ['https://[::1]/', []],
    ['https://10.0.0.1/', ['127.0.0.1']],
  ])('%s at %j is not called, and is not told apart from a name that does not exist', async (url, found) => {
    const send = createEventSender({ rules: local, resolve: resolving(...found).resolve });
    expect(await send({ url, ...event })).toEqual({
      outcome: 'not_allowed',
      text: 'the name has no address that webhooks may call',
    });
  });

  test('is asked of name servers, for addresses of both versions', async () => {
    const server = createSocket('udp4');
    server.on('message', (query, { port }) => server.send(dnsAnswer(query), port));
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
    try {
      const resolve = createResolve([`127.0.0.1:${server.address().port}`]);
      expect(await resolve('hooks.example.org')).toEqual(['192.0.2.7', '2001:db8::7']);
    } finally {
      server.close();
    }
  });

  test('may take no longer than the attempt', async () => {
    const resolve = () => new Promise<string[]>(() => undefined);
    const send = createEventSender({ rules: local, resolve });
    const result = await send({ url: 'https://hooks.example.org/', ...event, timeoutMs: 20 });
    expect(result.outcome).toBe('timed_out');
  });
});

describe('a receiver', () => {
  test('that does not answer has failed after the deadline', async () => {
    const port = await serve(() => undefined);
    const result = await sendTo(`http://127.0.0.1:${port}/`, { timeoutMs: 50 });
    expect(result).toEqual({ outcome: 'timed_out', text: 'no answer within 0.05 seconds' });
  });

  test('whose answer never ends is cut off, and its status counts', async () => {
    const closed = Promise.withResolvers<void>();
    const port = await serve((_request, response) => {
      response.on('close', closed.resolve);
      const more = () => response.write('x'.repeat(1_000), () => setImmediate(more));
      more();
    });
    const endless = await sendTo(`http://127.0.0.1:${port}/`);
    expect(endless.outcome).toBe('delivered');
    await closed.promise;
  });

  test('that trickles its answer is cut off at the deadline, and its status counts', async () => {
    const port = await serve((_request, response) => void response.writeHead(200).write('x'));
    const trickle = await sendTo(`http://127.0.0.1:${port}/`, { timeoutMs: 100 });
    expect(trickle.outcome).toBe('delivered');
  });

  test('that cannot be reached, closes, or speaks something else is said to have failed, and no more', async () => {
    const port = await serve((request) => void request.socket.destroy());
    expect((await sendTo(`http://127.0.0.1:${port}/`)).text).toBe(
      'the connection was closed without an answer',
    );
    expect((await sendTo(`https://127.0.0.1:${port}/`)).text).toMatch(/^the connection /);
    expect((await sendTo('http://127.0.0.1:1/')).text).toBe('the connection was refused');
    const garbage = await serve((request) => void request.socket.end('garbage\r\n\r\n'));
    expect((await sendTo(`http://127.0.0.1:${garbage}/`)).text).toBe(
      'the connection failed before an answer',
    );
    const headers = await serve((request) => {
      request.socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`);
    });
    expect((await sendTo(`http://127.0.0.1:${headers}/`)).outcome).toBe('failed');
  });

  test.skipIf(!canMakeCertificates)('with a certificate that nobody vouches for gets nothing', async () => {
    const { certificate: cert, key } = (await makeCertificates()).server;
    const paths: unknown[] = [];
    const port = await serve(
      ({ url }, response) => {
        paths.push(url);
        response.end();
      },
      () => createTlsServer({ cert, key }),
    );
    expect(await sendTo(`https://127.0.0.1:${port}/`)).toEqual({
      outcome: 'failed',
      text: 'the certificate of the receiver is not trusted',
    });
    expect(paths).toEqual([]);
  });
});

test('an attempt that is ended throws the reason, whatever the receiver does', async () => {
  const stopping = new AbortController();
  const port = await serve(() => stopping.abort(new Error('stopping')));
  const attempt = sendTo(`http://127.0.0.1:${port}/`, { signal: stopping.signal });
  await expect(attempt).rejects.toThrow('stopping');
});

test('a pause that a receiver asks for is followed up to an hour', () => {
  const nowMs = Date.UTC(2026, 0, 1);
  expect(retryAfterFrom('120', nowMs)).toBe(120_000);
  expect(retryAfterFrom('Thu, 01 Jan 2026 00:02:00 GMT', nowMs)).toBe(120_000);
  expect(retryAfterFrom('999999', nowMs)).toBe(maxRetryAfterMs);
  expect(retryAfterFrom('Fri, 01 Jan 2027 00:00:00 GMT', nowMs)).toBe(maxRetryAfterMs);
  for (const header of [undefined, '', '0', '-5', 'soon', 'Wed, 31 Dec 2025 00:00:00 GMT', '9'.repeat(20)])
    expect(retryAfterFrom(header, nowMs), header).toBeUndefined();
});
