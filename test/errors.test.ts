import { beforeAll, describe, expect, test } from 'vitest';
import { type ApiOptions, api } from './support/http/api.ts';
import { newTeam, type TeamClients } from './support/http/key-holder.ts';
import { problem, problemCodes } from './support/http/problem.ts';
import { rawHttp, rawRequest } from './support/http/raw-http.ts';
import { routes } from './support/http/routes.ts';
import { sharedService } from './support/service/shared-service.ts';

const maxBodyBytes = 64 * 1024;
const service = sharedService({ environment: { MAX_BODY_BYTES: `${maxBodyBytes}` } });

describe('problems', () => {
  const text = { 'content-type': 'text/plain' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const encoded = (name: string) => ({ 'content-encoding': name });
  const cases: [name: string, path: string, options: ApiOptions, code: string, ...pointers: string[]][] = [
    ['an unknown path', '/nothing', {}, 'not_found'],
    ['an item that is not there', '/items/x', { method: 'DELETE' }, 'not_found'],
    ['an item without a row_key', '/items/', {}, 'not_found'],
    ['a push to an item without a row_key', '/items/', { body: { items: [] } }, 'not_found'],
    ['the removal of an item without a row_key', '/items/', { method: 'DELETE' }, 'not_found'],
    ['a wrong method', '/query', {}, 'method_not_allowed'],
    ['text', '/items', { body: 'a', headers: text }, 'unsupported_media_type'],
    ['a form', '/query', { body: 'q=a', headers: form }, 'unsupported_media_type'],
    ['no media type', '/query', { body: '{}', headers: { 'content-type': '' } }, 'unsupported_media_type'],
    ['another encoding', '/query', { body: 'x', headers: encoded('br') }, 'unsupported_media_type'],
    ['two encodings', '/query', { body: 'x', headers: encoded('gzip, zstd') }, 'unsupported_media_type'],
    [
      'the same encoding twice',
      '/query',
      { body: 'x', headers: encoded('gzip,gzip') },
      'unsupported_media_type',
    ],
    ['no gzip', '/query', { body: '{"q":"a"}', headers: encoded('gzip') }, 'invalid_json'],
    ['no zstd', '/query', { body: '{"q":"a"}', headers: encoded('zstd') }, 'invalid_json'],
    ['encoded nothing', '/query', { body: '', headers: encoded('gzip') }, 'invalid_json'],
    ['no body', '/items', { method: 'POST' }, 'invalid_json'],
    ['an empty body', '/items', { body: '' }, 'invalid_json'],
    ['half a body', '/items', { body: '{"items":[' }, 'invalid_json'],
    ['two bodies', '/query', { body: '{"q":"a"}{"q":"a"}' }, 'invalid_json'],
    ['a body that is not UTF-8', '/query', { body: Buffer.from([0x22, 0xff, 0x22]) }, 'invalid_json'],
    ['a body that is no object', '/items', { body: [] }, 'invalid_request', ''],
    ['a body without items', '/items', { body: {} }, 'invalid_request', '/items'],
    ['items that are no list', '/items', { body: { items: { 0: 1 } } }, 'invalid_request', '/items'],
    ['no items', '/items', { body: { items: [] } }, 'invalid_request', '/items'],
    ['too many items', '/items', { body: { items: Array(201).fill(0) } }, 'invalid_request', '/items'],
    ['a question that is no text', '/query', { body: { q: 1 } }, 'invalid_request', '/q'],
    ['two bad parameters', '/items?since=now&limit=0', {}, 'invalid_request', '/since', '/limit'],
    ['a foreign cursor', '/items?cursor=abc', {}, 'invalid_cursor', '/cursor'],
  ];

  let clients: TeamClients;
  beforeAll(async () => {
    clients = await newTeam(service());
  });

  test.for(cases)('%s is answered with a whole problem', async ([, path, options, code, ...pointers]) => {
    const answer = await clients.team.call(path, options);
    const errors = pointers.map((pointer) => ({ pointer, detail: expect.stringMatching(/\S/) }));
    expect(answer.body).toEqual({ ...problem(code), ...(errors.length === 0 ? {} : { errors }) });
    expect(answer.status).toBe(answer.body.status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json(;|$)/);
    expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id);
  });

  test('paths outside of the API that do not exist are problems without a key too', async () => {
    const below = ['/problems', '/problems/none', '/problems/__proto__'];
    for (const path of ['/none', '/api', '/api/v2/items', '/api/v1x', '/%ff', '/healthz/', ...below]) {
      const response = await fetch(service().url + path);
      expect(await response.json(), path).toEqual(problem('not_found'));
      expect(response.status).toBe(404);
    }
  });

  const paths = Map.groupBy(routes, ({ example }) => example);
  test.for([...paths])('405 on %s lists its methods', async ([path, endpoints]) => {
    const own = endpoints.map(({ method }) => method);
    // DELETE takes slashes as they are, so the path of a version may also be the row_key of an item to remove.
    const methods = path.startsWith('/api/v1/items/') ? [...new Set([...own, 'DELETE'])] : own;
    const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
    const others = ['GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'QUERY', 'PROPFIND'];
    for (const method of others.filter((other) => !allowed.includes(other))) {
      const { status, headers } = await api(service(), clients, clients.teamKey, path, { method });
      const listed = headers.get('allow')?.split(', ').toSorted();
      expect({ method, status, listed }).toEqual({ method, status: 405, listed: allowed.toSorted() });
    }
  });
});

describe('the size of a body', () => {
  const bodyOf = (bytes: number) => JSON.stringify({ q: 'what?' }).padEnd(bytes);

  test('may be exactly the limit, and one byte more is refused, declared or not', async () => {
    const { team } = await newTeam(service());
    const forms = [(text: string) => text, (text: string) => new Blob([text]).stream()];
    for (const form of forms) {
      expect((await team.call('/query', { body: form(bodyOf(maxBodyBytes)) })).status).toBe(200);
      const refused = await team.call('/query', { body: form(bodyOf(maxBodyBytes + 1)) });
      expect([refused.status, refused.body]).toEqual([413, problem('payload_too_large')]);
    }
  });

  test('a large body that is only declared is refused without being waited for', async () => {
    const { slug, teamKey } = await service().createTeam();
    const headers = [`Authorization: Bearer ${teamKey}`, `X-Svc-Team: ${slug}`];
    const answer = await rawHttp(
      service().url,
      rawRequest(
        'POST /api/v1/items HTTP/1.1',
        ...headers,
        'Content-Type: application/json',
        'Content-Length: 99999999',
      ),
    );
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toEqual(problem('payload_too_large'));
  });
});

describe('pages about problems', () => {
  test.for(problemCodes)('/problems/%s is a page for people, without a key', async (code) => {
    const response = await fetch(`${service().url}/problems/${code}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await response.text()).toContain(`<code>${code}</code>`);
  });
});

test('no answer tells about the inside or gives hostile text back as markup', async () => {
  const { team } = await newTeam(service());
  const hostile = '<script>alert(1)</script>';
  const answers = await Promise.all([
    team.call(`/items/${encodeURIComponent(hostile)}`, { method: 'DELETE' }),
    team.call(`/${encodeURIComponent(hostile)}`),
    team.call(`/items?limit=${encodeURIComponent(hostile)}&since=${encodeURIComponent(hostile)}`),
    team.call(`/items?cursor=${encodeURIComponent(hostile)}`),
    team.call('/items', { body: `{"items": ${hostile}}` }),
    team.call('/items', { body: { items: [hostile] } }),
    team.call('/query', { body: { q: { [hostile]: 1 } } }),
    team.call('/items', { method: 'PUT', headers: { 'content-type': hostile } }),
    team.call('/items', { body: hostile, headers: { 'content-type': 'text/html' } }),
  ]);
  for (const { status, headers, body } of answers) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    const shown = `${JSON.stringify([...headers])} ${JSON.stringify(body)}`;
    expect(shown).not.toContain(hostile);
    expect(shown).not.toMatch(
      /FST_|fastify|zod|node_modules|\.ts\b|\bat .+:\d+|sqlite|mongo|127\.0\.0\.1|x-powered-by/i,
    );
    expect(shown).not.toContain(team.key);
    expect(shown).not.toContain(service().dataDirectory);
  }
});
