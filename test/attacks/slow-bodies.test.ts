import type { Socket } from 'node:net';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { api, item } from '../support/http/api.ts';
import { connectTo } from '../support/http/slow-request.ts';
import { readMetric } from '../support/service/read-metric.ts';
import type { Team } from '../support/service/running-service.ts';

const mebibyte = 1024 * 1024;
const bodyBytes = 8 * mebibyte;
const connections = 200;
/** Bodies under way: 12 of the largest, and 32 MiB of small ones. */
const bodyBudgetMegabytes = 12 * 8 + 32;
/**
 * A body of which nothing comes is cut after 10 s, and one that waits for room is refused after as long. On a slow machine
 * several follow each other: those that wait take the room of those that are cut.
 */
const freeAgainWithinMs = 90_000;
const timeoutMs = 300_000;

const attacked = attackedService({ ITEM_WRITES_PER_MINUTE: '100000' });
let attackers: Team[];
beforeAll(async () => {
  attackers = await Promise.all(Array.from({ length: 4 }, () => attacked().service.createTeam()));
});

let sockets: Socket[] = [];
let answers: string[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  [sockets, answers] = [[], []];
});

const head = (key: string, slug: string, ...more: string[]) =>
  [
    'POST /api/v1/items HTTP/1.1',
    'host: service.test',
    `authorization: Bearer ${key}`,
    `x-svc-team: ${slug}`,
    'content-type: application/json',
    ...more,
    '\r\n',
  ].join('\r\n');

/** Opens a connection, sends what is given and stays silent; what is answered is kept. */
async function open(...parts: (string | Buffer)[]): Promise<Socket> {
  const socket = await connectTo(attacked().service);
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => answers.push(chunk.toString('latin1').slice(9, 12)));
  for (const part of parts) socket.write(part);
  return socket;
}

/** All but the last bytes of a body, the same memory for all who send it. */
const almost = Buffer.alloc(bodyBytes - 10, ' ');

/** Runs an attack beside a bystander who pulls and another who pushes, and holds it to the bounds. */
function beside(name: string, attack: () => Promise<void>) {
  const actions = {
    pulls: {},
    'pushes of 300 KB': {
      path: '/api/v1/items',
      body: { items: [item('bystander.md', 'x'.repeat(300_000))] },
      pauseMs: 200,
    },
  };
  return besideBystanders({ name, ...attacked(), actions, boundMegabytes: bodyBudgetMegabytes }, attack);
}

const heldBytes = () => readMetric(attacked().service.metricsUrl, 'teammemory_http_body_bytes');
const untilFree = () =>
  eventually('room for bodies again', async () => (await heldBytes()) < mebibyte, {
    withinMs: freeAgainWithinMs,
  });

test('200 bodies of one key that stop before their end hold three bodies, the others are refused, and all are cut', {
  timeout: timeoutMs,
}, async () => {
  const [{ slug, externalKey: key }] = attackers as [Team];
  await beside('one key, bodies that stop', async () => {
    const start = head(key, slug, `content-length: ${bodyBytes}`);
    await Promise.all(Array.from({ length: connections }, () => open(start, almost)));
    await eventually('those without room are refused', () => answers.length > connections - 64, {
      withinMs: freeAgainWithinMs,
    });
    expect(await heldBytes()).toBeLessThanOrEqual(3 * bodyBytes + 8 * mebibyte);
    await untilFree();
    // Where the machine is slow, so many are cut one after the other that the key is refused for a minute.
    expect(new Set(answers).difference(new Set(['429']))).toEqual(new Set(['503', '400']));
  });
  const body = { items: [item('after.md', 'x'.repeat(mebibyte / 2), { tier: 'external' })] };
  await eventually(
    'a whole body is taken',
    async () => (await api(attacked().service, { slug }, key, '/api/v1/items', { body })).status === 200,
    { withinMs: 90_000, everyMs: 1_000 },
  );
});

test('bodies in chunks, of which nobody knows the length, hold no more', { timeout: timeoutMs }, async () => {
  const [, { slug, teamKey: key }] = attackers as [Team, Team];
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(mebibyte, ' '), Buffer.from('\r\n')]);
  await beside('one key, chunked', async () => {
    const start = head(key, slug, 'transfer-encoding: chunked');
    const seven = Array(7).fill(chunk);
    await Promise.all(Array.from({ length: 50 }, () => open(start, ...seven)));
    await eventually('those without room are refused', () => answers.length > 0, {
      withinMs: freeAgainWithinMs,
    });
    expect(await heldBytes()).toBeLessThanOrEqual(3 * bodyBytes + 8 * mebibyte);
    await untilFree();
  });
});

test('several teams with several keys leave room for the others', { timeout: timeoutMs }, async () => {
  await beside('two teams, eight keys', async () => {
    const keys = await Promise.all(
      attackers
        .slice(2)
        .flatMap(({ slug, newKey }) =>
          Array.from({ length: 4 }, async () => ({ slug, key: await newKey('external') })),
        ),
    );
    await Promise.all(
      keys.flatMap(({ slug, key }) =>
        Array.from({ length: 12 }, () => open(head(key, slug, `content-length: ${bodyBytes}`), almost)),
      ),
    );
    await eventually('those without room are refused', () => answers.length > 0, {
      withinMs: freeAgainWithinMs,
    });
    await untilFree();
  });
});

test('bytes that come one at a time, each a chunk of its own, are refused after some hundred', {
  timeout: timeoutMs,
}, async () => {
  const [{ slug, teamKey: key }] = attackers as [Team];
  const chunks = Buffer.from('1\r\n \r\n'.repeat(1_000_000));
  await beside('chunks of one byte', async () => {
    const start = head(key, slug, 'transfer-encoding: chunked');
    await Promise.all(Array.from({ length: 20 }, () => open(start, chunks)));
    await eventually('all are refused', () => answers.length === 20);
    expect(new Set(answers)).toEqual(new Set(['400']));
  });
});

test('a body that comes a byte a second is cut, small as it is', { timeout: timeoutMs }, async () => {
  const [{ slug, teamKey: key }] = attackers as [Team];
  const slow = await Promise.all(
    Array.from({ length: 20 }, () => open(head(key, slug, 'content-length: 1000'), '{"items":[')),
  );
  const trickle = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write(' ');
  }, 1_000);
  try {
    await eventually('all are cut', () => answers.length === 20, { withinMs: freeAgainWithinMs });
    expect(new Set(answers)).toEqual(new Set(['400']));
  } finally {
    clearInterval(trickle);
  }
});

test('without a good key no body is read, wherever it is sent', { timeout: timeoutMs }, async () => {
  const [{ slug }] = attackers as [Team];
  const length = `content-length: ${bodyBytes}`;
  const starts = [
    head('tms_none', slug, length),
    head('tms_none', slug, length).replace('/api/v1/items', '/nothing'),
    head('tms_none', slug, length).replace('/api/v1/items', '/api/v1/nothing'),
    head('tms_none', slug, length).replace('/api/v1/items', '/healthz'),
    head('tms_none', slug, 'transfer-encoding: chunked').replace('/api/v1/items', '/problems/none'),
  ];
  await beside('no key', async () => {
    await Promise.all(
      Array.from({ length: connections }, (_, index) => open(starts[index % starts.length] ?? '', almost)),
    );
    await eventually('all are answered or closed', () =>
      sockets.every((socket) => socket.bytesRead > 0 || socket.destroyed),
    );
    expect(await heldBytes()).toBeLessThan(mebibyte);
    expect(answers.filter((status) => status.startsWith('2'))).toEqual([]);
  });
});
