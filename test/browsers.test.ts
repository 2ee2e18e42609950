import { expect, test } from 'vitest';
import { answerText } from './support/http/events.ts';
import { sharedService } from './support/service/shared-service.ts';

const [known, unknown] = ['https://app.example.org', 'https://evil.example.org'];
const service = sharedService({
  environment: { CORS_ORIGINS: `${known}, http://localhost:3000`, ITEM_WRITES_PER_MINUTE: '1' },
});
const plain = sharedService({ environment: { CORS_ORIGINS: '' } });
const readable = 'Allow, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id';

const preflight = (origin: string) => ({
  method: 'OPTIONS',
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-svc-team',
  },
});

/** The headers that browsers look at. That answers differ by their coding has nothing to do with origins. */
const crossOrigin = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers]
      .map(
        ([name, value]) =>
          [name, name === 'vary' ? value.replace(/(, )?Accept-Encoding/, '') : value] as const,
      )
      .filter(([name, value]) => /^(access-control-|vary$)/.test(name) && value !== ''),
  );

test('a preflight of a listed origin is answered without a key and allows what clients send', async () => {
  for (const path of ['/api/v1/items', '/api/v1/items/a.md', '/api/v1/query', '/api/v1/events']) {
    const response = await fetch(service().url + path, preflight(known));
    expect(response.status, path).toBe(204);
    expect(crossOrigin(response)).toEqual({
      'access-control-allow-origin': known,
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Encoding, Content-Type, MCP-Method, MCP-Name, MCP-Protocol-Version, X-Request-Id, X-Svc-Client, X-Svc-Team',
      'access-control-expose-headers': readable,
      'access-control-max-age': '600',
      vary: 'Origin',
    });
  }
});

test('every answer to a listed origin can be read by its page: lists, streams and problems', async () => {
  const team = await service().createTeam();
  const headers = { origin: known, authorization: `Bearer ${team.teamKey}`, 'x-svc-team': team.slug };
  const json = { ...headers, 'content-type': 'application/json' };
  const item = { row_key: 'a.md', content: 'a', frontmatter: {}, tier: 'team' };
  const push = (letter: string) => ({
    method: 'POST',
    headers: json,
    body: JSON.stringify({ items: [{ ...item, checksum: `sha256:${letter.repeat(64)}` }] }),
  });
  const requests: [number, string, RequestInit][] = [
    [200, '/items', { headers }],
    [200, '/query', { method: 'POST', headers: json, body: '{"q":"What?"}' }],
    [200, '/events', { headers }],
    [200, '/items', push('a')],
    [429, '/items', push('b')],
    [401, '/items', { headers: { origin: known } }],
    [403, '/items', { headers: { ...headers, 'x-svc-team': 'nobody' } }],
    [404, '/nothing', { headers }],
    [405, '/items', { method: 'PUT', headers }],
  ];
  for (const [status, path, options] of requests) {
    const response = await fetch(`${service().url}/api/v1${path}`, options);
    expect([path, response.status]).toEqual([path, status]);
    expect(crossOrigin(response), path).toEqual({
      'access-control-allow-origin': known,
      'access-control-expose-headers': readable,
      vary: expect.stringMatching(/\bOrigin\b/),
    });
    await answerText(response.body ?? [], {
      method: options.method ?? 'GET',
      path: `/api/v1${path}`,
      status,
    });
  }
});

test('an origin that is not listed gets nothing of it, and the checks are those of every request', async () => {
  const origins = [unknown, 'null', `${known}.evil.org`, known.toUpperCase(), 'http://app.example.org'];
  for (const origin of origins) {
    const asked = await fetch(`${service().url}/api/v1/items`, preflight(origin));
    expect(asked.status, origin).toBe(401);
    expect(crossOrigin(asked), origin).toEqual({ vary: 'Origin' });
    const read = await fetch(`${service().url}/healthz`, { headers: { origin } });
    expect(crossOrigin(read), origin).toEqual({ vary: 'Origin' });
  }
});

test('OPTIONS without a preflight is refused as ever, also for paths that do not exist', async () => {
  const { slug, teamKey } = await service().createTeam();
  const send = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(`${service().url}${path}`, { method: 'OPTIONS', headers });
    return { status: response.status, code: ((await response.json()) as { code: string }).code };
  };
  const key = { authorization: `Bearer ${teamKey}`, 'x-svc-team': slug };
  const origins: Record<string, string>[] = [{}, { origin: known }, { origin: unknown }];
  for (const origin of origins) {
    expect(await send('/api/v1/items', origin)).toEqual({ status: 401, code: 'invalid_key' });
    expect(await send('/api/v1/nothing', origin)).toEqual({ status: 401, code: 'invalid_key' });
    expect(await send('/api/v1/nothing', { ...origin, ...key })).toEqual({ status: 404, code: 'not_found' });
    expect(await send('/api/v1/items', { ...origin, ...key })).toMatchObject({ status: 405 });
    expect(await send('/nothing', origin)).toEqual({ status: 404, code: 'not_found' });
  }
});

test('without listed origins no answer has a word about them', async () => {
  const asked = await fetch(`${plain().url}/api/v1/items`, preflight(known));
  expect(asked.status).toBe(401);
  expect(crossOrigin(asked)).toEqual({});
  const read = await fetch(`${plain().url}/healthz`, { headers: { origin: known } });
  expect(crossOrigin(read)).toEqual({});
});
