import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bystanderBoundMs, printFigures, startBystander } from '../support/attacks/bystander.ts';
import { api } from '../support/http/api.ts';
import { connectTo } from '../support/http/slow-request.ts';
import { readMetric } from '../support/service/read-metric.ts';
import { type StartedService, startService, type Team } from '../support/service/running-service.ts';

/** Descriptors of the process, and the part of them that the public port may take. */
const [descriptors, httpConnections] = [400, 160];
/** Half of these, of one address without a good key. */
const untrustedOfAddress = 80;
const peers = 600;
/** A head is waited for 10 s. */
const closedWithinMs = 30_000;
const timeoutMs = 120_000;

let service: StartedService;
let team: Team;
let other: Team;
beforeAll(async () => {
  service = await startService({ maxOpenFiles: descriptors });
  [team, other] = [await service.createTeam(), await service.createTeam()];
});
afterAll(() => service.remove());

let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

/** Opens a connection, sends something and says nothing more; what it is answered is taken. */
async function open(text: string): Promise<Socket> {
  const socket = await connectTo(service);
  sockets.push(socket);
  socket.on('error', () => undefined).resume();
  socket.write(text);
  return socket;
}

const stillOpen = () => sockets.filter(({ closed }) => !closed).length;
const openDescriptors = () => readdirSync(`/proc/${service.process.pid}/fd`).length;

/** Opens so many peers a few at a time, beside a bystander of another team. */
async function besidePeers(attack: string, text: string, work: () => Promise<void>): Promise<void> {
  const bystander = await startBystander(service, other);
  for (let opened = 0; opened < peers; opened += 50) {
    await Promise.all(Array.from({ length: 50 }, () => open(text)));
  }
  await work();
  const report = await bystander.stop();
  printFigures(attack, report, `${openDescriptors()} descriptors open`);
  expect(report.failures).toEqual([]);
  expect(report.worstMs).toBeLessThan(bystanderBoundMs);
}

/** A connection that rests may be closed in the moment in which the client sends on it; clients try again then. */
async function expectAnswer(someone: Team): Promise<void> {
  const pull = () => api(service, someone, someone.teamKey, '/api/v1/items').catch(() => undefined);
  const answer = await eventually('an answer', pull);
  expect(answer.status).toBe(200);
}

const authorized = () =>
  `host: service.test\r\nauthorization: Bearer ${team.externalKey}\r\nx-svc-team: ${team.slug}\r\n`;

// The limit of descriptors and their number are read as Linux tells them.
describe.skipIf(process.platform !== 'linux')('with 400 descriptors', () => {
  test.each([
    ['that are silent', ''],
    ['that stop in the middle of a head', 'POST /api/v1/items HTTP/1.1\r\nhost: service.test\r\nx-a: '],
    ['that ask without a key and stay', 'GET /healthz HTTP/1.1\r\nhost: service.test\r\n\r\n'],
  ])('600 peers %s keep nobody out', { timeout: timeoutMs }, async (name, text) => {
    await besidePeers(`peers ${name}`, text, async () => {
      await eventually('those above the bound are closed', () => stillOpen() <= untrustedOfAddress);
      expect(openDescriptors()).toBeLessThan(descriptors);
      const answer = await api(service, team, team.teamKey, '/api/v1/items');
      expect(answer.status).toBe(200);
    });
  });

  test('peers that never send a whole head are closed within seconds', { timeout: timeoutMs }, async () => {
    for (const text of ['', 'GET / HTTP/1.1\r\nhost: ']) {
      await Promise.all(Array.from({ length: 20 }, () => open(text)));
    }
    await eventually('all are closed', () => stillOpen() === 0, { withinMs: closedWithinMs });
  });

  test('600 connections of a good key that rest give way to those who come', {
    timeout: timeoutMs,
  }, async () => {
    const request = () => `GET /api/v1/items?limit=1 HTTP/1.1\r\n${authorized()}\r\n`;
    await besidePeers('peers with a key that rest', request(), async () => {
      await eventually('those above the bound are closed', () => stillOpen() <= httpConnections);
      expect(await readMetric(service.metricsUrl, 'teammemory_http_connections')).toBeLessThanOrEqual(
        httpConnections,
      );
      await expectAnswer(other);
    });
  });

  test('600 bodies of one byte less of a good key leave room for others', {
    timeout: timeoutMs,
  }, async () => {
    const request = `POST /api/v1/query HTTP/1.1\r\n${authorized()}content-type: application/json\r\ncontent-length: 3\r\n\r\n{}`;
    await besidePeers('peers with a key that stop in the middle of a body', request, async () => {
      await expectAnswer(other);
      await eventually('all are answered', () => stillOpen() <= httpConnections, {
        withinMs: closedWithinMs,
      });
    });
  });
});
