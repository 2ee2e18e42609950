import type { Socket } from 'node:net';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  bystanderBoundMs,
  extraMemoryBoundMegabytes,
  peakMegabytes,
  printFigures,
  residentMegabytes,
  startBystander,
} from '../support/attacks/bystander.ts';
import { api, item } from '../support/http/api.ts';
import { connectTo } from '../support/http/slow-request.ts';
import { readMetric } from '../support/service/read-metric.ts';
import { type StartedService, startService, type Team } from '../support/service/running-service.ts';

const mebibyte = 1024 * 1024;
const readers = 200;
/** Pages that are kept, and those that one key may leave unread. */
const boundedMegabytes = 64 + 32;
const freeAgainWithinMs = 40_000;
const timeoutMs = 120_000;

let service: StartedService;
let team: Team;
let other: Team;
beforeAll(async () => {
  service = await startService({
    environment: { ITEM_WRITES_PER_MINUTE: '100000', INDEX_REFRESH_SECONDS: '0' },
  });
  [team, other] = [await service.createTeam(), await service.createTeam()];
  const items = Array.from({ length: 60 }, (_, index) =>
    item(`large/${index}.md`, `${index} lorem ipsum `.repeat(10_000).slice(0, 130_000), { tier: 'external' }),
  );
  const { status } = await api(service, team, team.teamKey, '/api/v1/items', { body: { items } });
  expect(status).toBe(200);
});
afterAll(() => service.remove());

let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

/** Asks for a page and takes nothing of the answer; each time another page, so that none is kept for it. */
async function askAndTakeNothing(key: string, number: number): Promise<void> {
  const socket = await connectTo(service);
  sockets.push(socket.pause());
  socket.on('error', () => undefined);
  const since = new Date(number).toISOString();
  socket.write(
    `GET /api/v1/items?limit=200&since=${since} HTTP/1.1\r\nhost: service.test\r\n` +
      `authorization: Bearer ${key}\r\nx-svc-team: ${team.slug}\r\n\r\n`,
  );
}

test('200 readers of one key, who ask for pages of 8 MiB and take nothing, hold 32 MiB and nobody up', {
  timeout: timeoutMs,
}, async () => {
  const { pid } = service.process;
  const before = residentMegabytes(pid);
  const bystander = await startBystander(service, other);
  const large = await startBystander(service, other, { path: '/api/v1/items?limit=200', pauseMs: 200 });
  await Promise.all(
    Array.from({ length: readers }, (_, index) => askAndTakeNothing(team.externalKey, index)),
  );
  const unread = () => readMetric(service.metricsUrl, 'http_unread_page_bytes');
  await eventually('pages are unread', async () => (await unread()) > 20 * mebibyte);
  expect(await unread()).toBeLessThanOrEqual(32 * mebibyte);
  const someone = await team.newKey('team');
  expect((await api(service, team, someone, '/api/v1/items?limit=1')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  // Those who wait for their turn give up after 10 s.
  await eventually('nothing is unread', async () => (await unread()) === 0, { withinMs: freeAgainWithinMs });
  const [pulls, pages] = [await bystander.stop(), await large.stop()];
  const grown = peakMegabytes(pid) - before;
  printFigures('unread pages', pulls, `+${grown.toFixed(0)} MB`);
  printFigures('unread pages, larger pulls', pages);
  expect([...pulls.failures, ...pages.failures]).toEqual([]);
  expect(pulls.worstMs).toBeLessThan(bystanderBoundMs);
  expect(pages.worstMs).toBeLessThan(bystanderBoundMs);
  if (!Number.isNaN(grown)) expect(grown).toBeLessThan(boundedMegabytes + extraMemoryBoundMegabytes);
});

test('30 readers at once of one large page, who read it, all get it', { timeout: timeoutMs }, async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => api(service, team, team.teamKey, '/api/v1/items?limit=200')),
  );
  expect(answers.map(({ status, body }) => [status, body.items.length])).toEqual(
    answers.map(() => [200, 60]),
  );
});
