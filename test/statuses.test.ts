import { eventually } from '@teammemory/testkit/eventually.ts';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from './support/http/api.ts';
import { problem, problemCodes } from './support/http/problem.ts';
import { faultySettings, type Teams, teamsForFaults } from './support/http/request-fault.ts';
import { type Route, routes, sendSpoiled } from './support/http/routes.ts';
import { documentedStatuses, openApiDocument } from './support/openapi/document.ts';
import { type BreakableConnection, breakableConnection } from './support/proxies/breakable-connection.ts';
import { dropTables } from './support/service/drop-tables.ts';
import { type StartedService, startService } from './support/service/running-service.ts';
import { sharedService } from './support/service/shared-service.ts';

/** A driver looks for its server for 5 s before it gives up. */
const cutOffTimeoutMs = 60_000;
/** Told before it is known whose key it is, or which endpoint. */
const toldToStrangers = ['invalid_key', 'team_forbidden', 'method_not_allowed'];
const wholeSeconds = /^[1-9]\d*$/;

/** Headers that an answer must have for its status. */
const headersOf: Readonly<Record<number, [name: string, value: RegExp]>> = {
  401: ['www-authenticate', /^Bearer$/],
  405: ['allow', /^[A-Z]+(, [A-Z]+)*$/],
  429: ['retry-after', wholeSeconds],
  503: ['retry-after', wholeSeconds],
};

function expectAnswer({ status, headers, body }: Answer, expected: { status: number; code: string }): void {
  expect({ status, body }).toMatchObject({ status: expected.status, body: problem(expected.code) });
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(headers.get('x-request-id')).toBe(body.request_id);
  const [name, value] = headersOf[status] ?? ['x-request-id', /./];
  expect(headers.get(name)).toMatch(value);
}

/** A route with a limit tells where its key stands, on refusals too, as soon as it is known whose key it is. */
function expectQuota({ limit }: Route, { headers }: Answer): void {
  const told =
    limit === undefined
      ? [null, null]
      : [expect.stringMatching(`^"${limit}";q=(?:1|4|10);w=60$`), expect.stringContaining(limit)];
  expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual(told);
}

describe('every route answers with each of its statuses', () => {
  const service = sharedService({ environment: faultySettings });
  let teams: Teams;
  beforeAll(async () => {
    teams = await teamsForFaults(service());
  });

  test.for(routes)('$method $path: $status where nothing is wrong', async (route) => {
    const answer = await sendSpoiled(service(), route, [], teams);
    expect(answer.status).toBe(route.status);
    expect(answer.headers.get('content-type') ?? '').toMatch(new RegExp(`^${route.contentType}(;|$)`));
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expectQuota(route, answer);
  });

  const wrong = routes.flatMap((route) => route.faults.map((fault) => ({ ...route, route, ...fault })));
  test.for(wrong)('$method $path: $status $code for $name', async ({ route, ...fault }) => {
    const answer = await sendSpoiled(service(), route, [fault], teams);
    expectAnswer(answer, fault);
    if (!toldToStrangers.includes(fault.code)) expectQuota(route, answer);
  });
});

describe('a fault behind the gateway', () => {
  const service = sharedService({ environment: faultySettings });
  let teams: Teams;
  beforeAll(async () => {
    teams = await teamsForFaults(service());
    dropTables(service());
  });

  test.for(withFailure(500))('$method $path: 500 internal, which the log has', async (route) => {
    const answer = await sendSpoiled(service(), route, [], teams);
    expectAnswer(answer, { status: 500, code: 'internal' });
    expectQuota(route, answer);
    expect(JSON.stringify(answer.body)).not.toMatch(/table|sql/i);
    await eventually('the log has it', () =>
      service()
        .output()
        .stderr.split('\n')
        .some((line) => line.includes(answer.body.request_id) && line.includes('"level":"error"')),
    );
  });

  test.for(routes.filter(({ failures }) => !failures.includes(500)))(
    '$method $path: $status all the same',
    async (route) => {
      expect((await sendSpoiled(service(), route, [], teams)).status).toBe(route.status);
    },
  );
});

const server = mongoServerForTests();
const skipped = 'reason' in server ? ` (skipped: ${server.reason})` : '';
describe.skipIf(skipped !== '')(`a store that cannot be reached${skipped}`, () => {
  let line: BreakableConnection;
  let service: StartedService;
  let teams: Teams;
  beforeAll(async () => {
    line = await breakableConnection('url' in server ? server.url : '');
    service = await startService({ mongodbUrl: line.url, environment: faultySettings });
    teams = await teamsForFaults(service);
    line.cut();
  });
  afterAll(() => service?.remove());

  // All at once: each waits for as long as the driver does.
  test.concurrent.for(withFailure(503))(
    '$method $path: 503 unavailable',
    { timeout: cutOffTimeoutMs },
    async (route) => {
      expectAnswer(await sendSpoiled(service, route, [], teams), { status: 503, code: 'unavailable' });
    },
  );

  test.for(routes.filter(({ failures }) => !failures.includes(503)))(
    '$method $path: $status all the same',
    async (route) => {
      expect((await sendSpoiled(service, route, [], teams)).status).toBe(route.status);
    },
  );
});

test('the statuses of each route are those that the document of the service promises, no more and no fewer', () => {
  const known = routes.map(({ operation, status, faults, failures, ...others }): [string, number[]] => {
    const { failuresOfAuth = [], whileStopping = [] } = others;
    const known = [...faults.map((fault) => fault.status), ...failures];
    const statuses = [status, ...known, ...failuresOfAuth, ...whileStopping];
    return [operation, [...new Set(statuses)].toSorted((a, b) => a - b)];
  });
  expect(new Map(known)).toEqual(documentedStatuses(openApiDocument));
});

test('every problem code is the answer of some route', () => {
  const codes = new Set(routes.flatMap(({ faults }) => faults.map(({ code }) => code)));
  // It is said of single items of a push, and by RPCs.
  const ofItems = 'contains_secret';
  expect([...codes, ofItems, 'internal', 'unavailable'].toSorted()).toEqual(problemCodes.toSorted());
});

function withFailure(status: number): Route[] {
  return routes.filter(({ failures }) => failures.includes(status));
}
