import { beforeAll, describe, expect, test } from 'vitest';
import { scan } from '../support/analytics/valid-bodies.ts';
import { attackedService, besideBystanders } from '../support/attacks/attacked-service.ts';
import {
  heavyValues,
  type OperationWithBody,
  operationsWithBody,
  placesOf,
} from '../support/attacks/heavy-bodies.ts';
import { type Answer, api, item } from '../support/http/api.ts';
import { expectAcceptedOrRefused } from '../support/http/refused-requests.ts';
import type { Team } from '../support/service/running-service.ts';

const mebibyte = 1024 * 1024;
/** MAX_BODY_BYTES, less the room that the rest of a body takes. */
const largestBytes = 8 * mebibyte - 4 * 1024;
/** Bodies that the scan of their bytes lets by, of all routes and of those for larger ones: these are parsed and checked. */
const passingBytes = [56 * 1024, 130 * 1024];
/** An answer does not grow with what was sent. */
const maxAnswerBytes = 28 * 1024;
/** What the gateway keeps room for: 12 bodies of the largest size. */
const bodyBudgetMegabytes = 96;
/** The longest turn is to be 50 ms; what is asserted allows for a machine that others use too. */
const longestTurnBoundSeconds = 0.5;
/** Refused bytes of one key are bounded, and these tests are about what each body costs. */
const bytesPerKey = 40 * mebibyte;
const timeoutMs = 180_000;

const attacked = attackedService({
  ITEM_WRITES_PER_MINUTE: '1000000',
  QUESTIONS_PER_MINUTE: '1000000',
  SCANS_PER_MINUTE: '1000000',
  SNAPSHOTS_PER_MINUTE: '1000000',
});
let team: Team;
beforeAll(async () => {
  team = await attacked().service.createTeam();
});

let key = '';
let sentBytes = Number.POSITIVE_INFINITY;

async function send({ method, path }: OperationWithBody, body: string): Promise<Answer> {
  if (sentBytes + body.length > bytesPerKey) {
    key = await team.newKey('team');
    sentBytes = 0;
  }
  sentBytes += body.length;
  return api(attacked().service, team, key, path, { method, body });
}

/** Runs an attack beside a bystander and holds it to the bounds. */
async function beside(name: string, attack: () => Promise<void>): Promise<void> {
  const beside = { name, ...attacked(), boundMegabytes: bodyBudgetMegabytes };
  const { longestTurnSeconds } = await besideBystanders(beside, attack);
  expect(longestTurnSeconds).toBeLessThan(longestTurnBoundSeconds);
}

test('the operations that take a body are found in the document', () => {
  expect(operationsWithBody.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining(['pushItems', 'askQuestion', 'pushScan', 'pushSnapshot']),
  );
});

describe.each(operationsWithBody)('$method $path', (operation) => {
  test('8 MiB of the heaviest JSON, at every place of the body, hold nobody up', {
    timeout: timeoutMs,
  }, async () => {
    await beside(`${operation.path}, 8 MiB`, async () => {
      const places = placesOf(operation.example);
      for (const [shape, make] of Object.entries(heavyValues)) {
        const heavy = make(largestBytes);
        // At one place each: they are told apart by what is read later, and that is not reached.
        const { before, after, place } = places[shape.length % places.length] ?? {
          before: '',
          after: '',
          place: '',
        };
        const answer = await send(operation, `${before}${heavy}${after}`);
        expectAcceptedOrRefused(answer, `${shape} at ${place}`);
      }
    });
  });

  test('heavy JSON that is small enough to be read, at every place of the body, holds nobody up', {
    timeout: timeoutMs,
  }, async () => {
    await beside(`${operation.path}, up to 130 KiB`, async () => {
      for (const [shape, make] of Object.entries(heavyValues)) {
        for (const heavy of passingBytes.map(make)) {
          for (const { before, after, place } of placesOf(operation.example)) {
            const answer = await send(operation, `${before}${heavy}${after}`);
            expectAcceptedOrRefused(answer, `${shape} at ${place}`);
            expect(JSON.stringify(answer.body).length, `${shape} at ${place}`).toBeLessThan(maxAnswerBytes);
          }
        }
      }
    });
  });
});

test('hundreds of thousands of pillars are refused without being looked at one by one, and names of a megabyte are not given back', async () => {
  const pillars = (names: string[]) => `{${names.map((name) => `"${name}":1`).join(',')}}`;
  const body = (readiness_pillars: string) =>
    JSON.stringify(scan()).replace(
      /"readiness_pillars":\{.*?\}\}/,
      `"readiness_pillars":${readiness_pillars}`,
    );
  const push = {
    ...(operationsWithBody.find(({ operationId }) => operationId === 'pushScan') as OperationWithBody),
  };
  await beside('pillars', async () => {
    const counts = [700_000, 90_000, 101];
    for (const count of counts) {
      const names = Array.from({ length: count }, (_, index) => `${index}`);
      const { status, body: problem } = await send(push, body(pillars(names)));
      expect([status, problem.code]).toEqual([422, 'invalid_request']);
      expect(problem.errors).toHaveLength(1);
    }
    const long = await send(push, body(pillars(['a'.repeat(mebibyte), 'b'.repeat(mebibyte)])));
    expect(long.status).toBe(422);
    expect(JSON.stringify(long.body).length).toBeLessThan(4 * 1024);
  });
});

test('10,000 rows that are all wrong are answered with the first hundred places', async () => {
  await beside('wrong rows', async () => {
    const push = operationsWithBody.find(
      ({ operationId }) => operationId === 'pushScan',
    ) as OperationWithBody;
    const wrong = Array.from({ length: 10_000 }, () => ({ member: 1, commits: 'x', agent_commits: [] }));
    const { status, body } = await send(push, JSON.stringify({ ...scan(), contributions: wrong }));
    expect([status, body.errors.length]).toEqual([422, 100]);
    expect(body.errors[0]).toEqual({ pointer: '/contributions/0/member', detail: 'must be a string' });
  });
});

test('what an honest client sends fits: 200 items with front matter, the largest front matter, the largest scan', async () => {
  const honest = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `field_${index}`,
      index % 2 === 0 ? `value ${index}` : [1, 2.5, 'tag'],
    ]),
  );
  const batch = Array.from({ length: 200 }, (_, index) =>
    item(`honest/${index}.md`, 'x'.repeat(20_000), { frontmatter: honest }),
  );
  const list = operationsWithBody.find(({ operationId }) => operationId === 'pushItems') as OperationWithBody;
  const pushed = await send(list, JSON.stringify({ items: batch }));
  expect([pushed.status, pushed.body.accepted]).toEqual([200, 200]);

  // Seven levels below the front matter itself, and as many brackets as 32 KiB hold.
  const dense = { a: [[[[[Array.from({ length: 10_000 }, () => [])]]]]] };
  const long = { id: [`${2 ** 53}1`, 9_007_199_254_740_993n.toString()], list: Array(15_000).fill(0) };
  for (const frontmatter of [dense, long]) {
    expect(JSON.stringify(frontmatter).length).toBeLessThanOrEqual(32 * 1024);
    const { status, body } = await send(
      list,
      JSON.stringify({ items: [item('dense.md', 'd', { frontmatter })] }),
    );
    expect([status, body.errors]).toEqual([200, []]);
  }

  const push = operationsWithBody.find(({ operationId }) => operationId === 'pushScan') as OperationWithBody;
  const contributions = Array.from({ length: 10_000 }, (_, index) => {
    return { member: `member-${index}`, commits: 5, agent_commits: 2 };
  });
  const issues = Array.from({ length: 10_000 }, (_, number) => ({
    number,
    title: `Issue ${number}`,
    state: 'open',
  }));
  const scanned = await send(push, JSON.stringify({ ...scan(), contributions, issues }));
  expect([scanned.status, scanned.body.contributions, scanned.body.issues]).toEqual([200, 10_000, 10_000]);
});

test('a key that goes on sending what is refused gets 429 before its body is read, and other keys do not', async () => {
  const wild = await team.newKey('team');
  const heavy = JSON.stringify({ items: [{ row_key: 'x'.repeat(4 * mebibyte) }] });
  const statuses: number[] = [];
  for (let sent = 0; sent < 17; sent += 1) {
    const { status, headers } = await api(attacked().service, team, wild, '/api/v1/items', { body: heavy });
    statuses.push(status);
    if (status === 429) expect(headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
  }
  expect(statuses).toEqual([...Array(16).fill(422), 429]);
  const question = await api(attacked().service, team, wild, '/api/v1/query', { body: { q: 'what?' } });
  expect([question.status, question.body.code]).toEqual([429, 'rate_limited']);
  expect((await api(attacked().service, team, wild, '/api/v1/items')).status).toBe(200);
  const honest = await api(attacked().service, team, team.teamKey, '/api/v1/items', {
    body: { items: [item('a.md')] },
  });
  expect(honest.status).toBe(200);
});

test('3,000 small refusals use up the same limit', { timeout: timeoutMs }, async () => {
  const wild = await team.newKey('team');
  const refused = async (options: { body: string; headers?: Record<string, string> }) =>
    (await api(attacked().service, team, wild, '/api/v1/query', options)).status;
  const kinds = [
    { body: '{' },
    { body: '{}' },
    { body: 'a', headers: { 'content-type': 'text/plain' } },
    { body: `{"q":"${'x'.repeat(70_000)}"}` },
  ];
  const statuses: number[] = [];
  for (let sent = 0; sent < 3_000; sent += 20) {
    const some = Array.from({ length: 20 }, (_, index) =>
      refused(kinds[index % kinds.length] as { body: string }),
    );
    statuses.push(...(await Promise.all(some)));
  }
  expect([...new Set(statuses)].toSorted()).toEqual([400, 413, 415, 422]);
  expect(await refused({ body: '{}' })).toBe(429);
});
