import { seededRandom } from '@teammemory/testkit/seeded-random.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { storedScores } from './support/analytics/stored-scores.ts';
import { scanWith, snapshot } from './support/analytics/valid-bodies.ts';
import { type Answer, api } from './support/http/api.ts';
import { malformed, malformedPush, malformedQuestion } from './support/http/malformed-body.ts';
import { expectAcceptedOrRefused } from './support/http/refused-requests.ts';
import { connectTo, receive } from './support/http/slow-request.ts';
import { type StartedService, startService, type Team } from './support/service/running-service.ts';

const bodiesPerRoute = 1_000;
const wrongLengths = 20;
/** Fewer than may be refused in a minute, in number and in bytes. */
const requestsPerKey = 250;
const timeoutMs = 300_000;
const seed = 20_261_121;

let service: StartedService;
let team: Team;
let key = '';
let posted = 0;
/** Rows of which the service said that it has them. */
const acknowledged = new Set<string>();

beforeAll(async () => {
  service = await startService({
    environment: {
      ITEM_WRITES_PER_MINUTE: '1000000',
      QUESTIONS_PER_MINUTE: '1000000',
      SCANS_PER_MINUTE: '1000000',
      SNAPSHOTS_PER_MINUTE: '1000000',
    },
  });
  team = await service.createTeam();
});
afterEach(async () => {
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect(service.output().stderr).not.toContain('"level":"error"');
});
afterAll(() => service.remove());

test('no malformed push is a fault of ours, and nothing is stored that was not acknowledged', {
  timeout: timeoutMs,
}, async () => {
  const random = seededRandom(seed);
  for (let index = 0; index < bodiesPerRoute; index += 1) {
    const body = malformedPush(random, `push-${index}`);
    const answer = await post('/api/v1/items', body);
    expectAcceptedOrRefused(answer, `push ${index}`);
    remember(body, answer);
  }
  expect(await storedRows()).toEqual([...acknowledged].sort());
  expect(acknowledged.size).toBeGreaterThan(0);
});

test('no malformed question is a fault of ours', { timeout: timeoutMs }, async () => {
  const random = seededRandom(seed + 1);
  for (let index = 0; index < bodiesPerRoute; index += 1) {
    const answer = await post('/api/v1/query', malformedQuestion(random, `question ${index}`));
    expectAcceptedOrRefused(answer, `question ${index}`);
    if (answer.status === 200)
      expect(answer.body.trimEnd(), `question ${index}`).toMatch(/event: done\ndata: \{.*\}$/);
  }
});

test('no malformed scan or snapshot is a fault of ours, and none is stored that was refused', {
  timeout: timeoutMs,
}, async () => {
  const random = seededRandom(seed + 2);
  const stored = await storedScores(service, team.slug);
  for (let index = 0; index < bodiesPerRoute / 2; index += 1) {
    const head_sha = `commit-${index}`;
    const pushed = await post('/api/v1/codebases', malformed(scanWith('metrics', { head_sha }), random));
    expectAcceptedOrRefused(pushed, `scan ${index}`);
    if (pushed.status !== 200) expect(await stored.hasScan(head_sha), `scan ${index}`).toBe(false);
    const date = new Date(Date.UTC(2020, 0, index)).toISOString().slice(0, 10);
    const placed = await post('/api/v1/metrics', malformed(snapshot({ date }), random));
    expectAcceptedOrRefused(placed, `snapshot ${index}`);
    if (placed.status !== 200) expect(await stored.hasSnapshot(date), `snapshot ${index}`).toBe(false);
  }
});

test('a body that is shorter or longer than its length says stores nothing and harms nobody', async () => {
  const body = JSON.stringify({ items: [{ row_key: 'wrong-length.md' }] });
  for (let index = 0; index < wrongLengths; index += 1) {
    const socket = await connectTo(service);
    const received = receive(socket);
    const length = index % 2 === 0 ? body.length + 1 + index : Math.floor(body.length / (index + 1));
    socket.end(
      `POST /api/v1/items HTTP/1.1\r\nhost: service.test\r\nauthorization: Bearer ${team.teamKey}\r\n` +
        `x-svc-team: ${team.slug}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`,
    );
    // Cut short there may be no answer; what is left over is no request.
    expect(await received, `length ${length}`).toMatch(/^$|^HTTP\/1\.1 4\d\d .*problem\+json/s);
  }
  expect(await storedRows()).toEqual([...acknowledged].sort());
});

/** With a new key now and then: one that sends too much in vain is refused before its bodies are looked at. */
async function post(path: string, body: string | Buffer): Promise<Answer> {
  if (posted % requestsPerKey === 0) key = await team.newKey('team');
  posted += 1;
  return api(service, team, key, path, { method: 'POST', body });
}

/** What the answer says about each item, item by item; a body that JSON cannot read has none. */
function remember(body: string | Buffer, { status, body: answer }: Answer): void {
  if (status !== 200 && answer.accepted === undefined) return;
  const { items } = JSON.parse(body.toString()) as { items: { row_key: string }[] };
  const refused = new Set((answer.errors as { index: number }[]).map(({ index }) => index));
  expect(answer.accepted + answer.rejected).toBe(items.length);
  for (const [index, { row_key }] of items.entries()) if (!refused.has(index)) acknowledged.add(row_key);
}

async function storedRows(): Promise<string[]> {
  const rows: string[] = [];
  for (let cursor = '', more = true; more; ) {
    const { body } = await api(service, team, team.teamKey, `/api/v1/items?limit=200&cursor=${cursor}`);
    rows.push(...body.items.map(({ row_key }: { row_key: string }) => row_key));
    cursor = body.next_cursor;
    more = body.has_more;
  }
  return rows.sort();
}
