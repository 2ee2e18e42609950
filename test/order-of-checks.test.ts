import { beforeAll, describe, expect, test } from 'vitest';
import { api, item } from './support/api.ts';
import type { Team } from './support/running-service.ts';
import { sharedService } from './support/shared-service.ts';

const maxBodyBytes = 4_096;

interface Request {
  key: string;
  team: string;
  path: string;
  method: string;
  contentType: string;
  body: string;
}

/** One thing wrong with a request, and the answer that it gets alone. */
interface Fault {
  name: string;
  status: number;
  code: string;
  /** Changes a request that may have later faults already. */
  spoil(request: Request, teams: Teams): void;
}

interface Teams {
  mine: Team;
  other: Team;
  /** Its key has no writes left. */
  usedUp: Team;
}

const fault = (name: string, status: number, code: string, spoil: Fault['spoil']): Fault => ({
  name,
  status,
  code,
  spoil,
});

const key = fault('a bad key', 401, 'invalid_key', (request) => {
  request.key = `${request.key.slice(0, -1)}!`;
});
const team = fault('a foreign team', 403, 'team_forbidden', (request, { other }) => {
  request.team = other.slug;
});
const path = fault('an unknown path', 404, 'not_found', (request) => {
  request.path = '/api/v1/nothing';
});
const method = fault('a wrong method', 405, 'method_not_allowed', (request) => {
  request.method = 'PUT';
});
const size = fault('a large body', 413, 'payload_too_large', (request) => {
  request.body = request.body.padEnd(maxBodyBytes + 1);
});
const mediaType = fault('a foreign media type', 415, 'unsupported_media_type', (request) => {
  request.contentType = 'text/plain';
});
const json = fault('broken JSON', 400, 'invalid_json', (request) => {
  request.body = request.body.replace(/\S+/, '{');
});
const schema = fault('a body of another schema', 422, 'invalid_request', (request) => {
  request.body = '{"items":[],"q":""}';
});
const parameter = fault('a bad parameter', 422, 'invalid_request', (request) => {
  request.path += '?limit=0';
});
const limit = fault('a used-up limit', 429, 'rate_limited', (request, { usedUp }) => {
  request.key = usedUp.teamKey;
  request.team = usedUp.slug;
});

/** Each route with all that can be wrong with it, in the order of checks of decisions §2. */
const routes: { method: string; path: string; body: string; faults: Fault[]; status: number }[] = [
  {
    method: 'POST',
    path: '/api/v1/items',
    body: JSON.stringify({ items: [item('a.md')] }),
    faults: [key, team, path, method, size, mediaType, json, schema, limit],
    status: 200,
  },
  {
    method: 'POST',
    path: '/api/v1/query',
    body: JSON.stringify({ q: 'what?' }),
    faults: [key, team, path, method, size, mediaType, json, schema],
    status: 200,
  },
  {
    method: 'GET',
    path: '/api/v1/items',
    body: '',
    faults: [key, team, path, method, parameter],
    status: 200,
  },
  {
    method: 'DELETE',
    path: '/api/v1/items/absent.md',
    body: '',
    faults: [key, team, path, method],
    status: 404,
  },
];

const service = sharedService({
  environment: { MAX_BODY_BYTES: `${maxBodyBytes}`, ITEM_WRITES_PER_MINUTE: '1' },
});

let teams: Teams;
beforeAll(async () => {
  const [mine, other, usedUp] = await Promise.all([1, 2, 3].map(() => service().createTeam()));
  if (mine === undefined || other === undefined || usedUp === undefined) throw new Error('no teams');
  teams = { mine, other, usedUp };
  const body = { items: [item('used-up.md')] };
  expect((await api(service(), usedUp, usedUp.teamKey, '/api/v1/items', { body })).status).toBe(200);
});

describe.each(routes)('$method $path', (route) => {
  async function send(faults: readonly Fault[]) {
    const { teamKey, slug } = teams.mine;
    const request: Request = { ...route, key: teamKey, team: slug, contentType: 'application/json' };
    for (const { spoil } of faults.toReversed()) spoil(request, teams);
    const hasBody = !['GET', 'DELETE'].includes(request.method);
    const { status, body } = await api(service(), { slug: request.team }, request.key, request.path, {
      method: request.method,
      headers: { 'content-type': request.contentType },
      ...(hasBody ? { body: request.body } : {}),
    });
    return { status, code: body.code };
  }

  const told = ({ status, code }: Fault) => ({ status, code });

  test('answers where nothing is wrong', async () => {
    expect((await send([])).status).toBe(route.status);
  });

  test.for(route.faults)('$name is told', async (only) => {
    expect(await send([only])).toEqual(told(only));
  });

  const pairs = route.faults.flatMap((first, index) =>
    route.faults.slice(index + 1).map((second) => ({ first, second })),
  );
  test.for(pairs)('$first.name is told before $second.name', async ({ first, second }) => {
    expect(await send([first, second])).toEqual(told(first));
  });

  test('of everything wrong at once the first is told', async () => {
    for (const [index, first] of route.faults.entries()) {
      expect(await send(route.faults.slice(index))).toEqual(told(first));
    }
  });
});
