import type { Socket } from 'node:net';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import { api, item } from '../support/http/api.ts';
import { connectTo } from '../support/http/slow-request.ts';
import { readMetric } from '../support/service/read-metric.ts';
import type { Team } from '../support/service/running-service.ts';

const mebibyte = 1024 * 1024;
const readers = 200;
/** Pages that are kept, and those that one key may leave unread. */
const boundMegabytes = 64 + 32;
const freeAgainWithinMs = 40_000;
const timeoutMs = 120_000;

const attacked = attackedService({ ITEM_WRITES_PER_MINUTE: '100000', INDEX_REFRESH_SECONDS: '0' });
let team: Team;
beforeAll(async () => {
  const { service } = attacked();
  team = await service.createTeam();
  const items = Array.from({ length: 60 }, (_, index) =>
    item(`large/${index}.md`, `${index} lorem ipsum `.repeat(10_000).slice(0, 130_000), { tier: 'external' }),
  );
  const { status } = await api(service, team, team.teamKey, '/api/v1/items', { body: { items } });
  expect(status).toBe(200);
});

let sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

/** Asks for a page and takes nothing of the answer; each time another page, so that none is kept for it. */
async function askAndTakeNothing(key: string, number: number): Promise<void> {
  const socket = await connectTo(attacked().service);
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
  const { service } = attacked();
  const actions = { pulls: {}, 'larger pulls': { path: '/api/v1/items?limit=200', pauseMs: 200 } };
  await besideBystanders({ name: 'unread pages', ...attacked(), actions, boundMegabytes }, async () => {
    await Promise.all(
      Array.from({ length: readers }, (_, index) => askAndTakeNothing(team.externalKey, index)),
    );
    const unread = () => readMetric(service.metricsUrl, 'teammemory_http_unread_page_bytes');
    await eventually('pages are unread', async () => (await unread()) > 20 * mebibyte);
    expect(await unread()).toBeLessThanOrEqual(32 * mebibyte);
    const someone = await team.newKey('team');
    expect((await api(service, team, someone, '/api/v1/items?limit=1')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    // Those who wait for their turn give up after 10 s.
    await eventually('nothing is unread', async () => (await unread()) === 0, {
      withinMs: freeAgainWithinMs,
    });
  });
});

test('30 readers at once of one large page, who read it, all get it', { timeout: timeoutMs }, async () => {
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => api(attacked().service, team, team.teamKey, '/api/v1/items?limit=200')),
  );
  expect(answers.map(({ status, body }) => [status, body.items.length])).toEqual(
    answers.map(() => [200, 60]),
  );
});
