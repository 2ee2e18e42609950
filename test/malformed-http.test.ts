import { describe, expect, test } from 'vitest';
import { api, item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import { problem } from './support/http/problem.ts';
import { rawHttp, rawRequest } from './support/http/raw-http.ts';
import { sharedService } from './support/service/shared-service.ts';

const service = sharedService();
const newRequestId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('what is hardly HTTP', () => {
  const malformed = {
    'no HTTP at all': 'hello\r\n\r\n',
    'a bad version': 'GET / HTTP/9.9\r\n\r\n',
    'no Host': 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
    'two lengths': rawRequest('POST /api/v1/items HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2'),
    'a length and chunks': rawRequest(
      'POST /api/v1/items HTTP/1.1',
      'Content-Length: 1',
      'Transfer-Encoding: chunked',
    ),
    'a header with a line break': rawRequest('GET / HTTP/1.1', 'X-A: a\nX-B'),
    'headers that are too long': rawRequest('GET / HTTP/1.1', `X-A: ${'a'.repeat(20_000)}`),
  };
  test.for(Object.entries(malformed))('%s gets a problem with status 400', async ([, bytes]) => {
    const answer = await rawHttp(service().url, bytes);
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(answer.body)).toEqual({ ...problem('invalid_request'), status: 400 });
    expect(answer.headers['x-request-id']).toBe(JSON.parse(answer.body).request_id);
  });

  test('headers that are too long are told how long they may be', async () => {
    const line = `GET /api/v1/search?q=${'%F0%9F%A6%A6'.repeat(4_000)} HTTP/1.1`;
    const { status, body } = await rawHttp(service().url, rawRequest(line));
    expect([status, JSON.parse(body).detail]).toEqual([400, expect.stringMatching(/\b16 KiB\b/)]);
  });

  test('an expectation that is not known is passed over', async () => {
    expect(
      (await rawHttp(service().url, rawRequest('GET /healthz HTTP/1.1', 'Expect: miracles'))).status,
    ).toBe(200);
  });

  test('a path that cannot be decoded is not found, and below /api/v1 only with a key', async () => {
    const team = await service().createTeam();
    expect((await api(service(), team, team.teamKey, '/api/v1/%ff')).body).toEqual(problem('not_found'));
    expect((await api(service(), team, 'none', '/api/v1/%ff')).body).toEqual(problem('invalid_key'));
  });
});

describe('X-Request-Id', () => {
  test('is that of the caller where it is sane', async () => {
    const team = await service().createTeam();
    for (const id of ['a', 'trace-1:span.2_B', '0'.repeat(128)]) {
      const headers = { 'x-request-id': id };
      const good = await api(service(), team, team.teamKey, '/api/v1/items', { headers });
      const bad = await api(service(), team, 'none', '/api/v1/items', { headers });
      const ids = [good.headers.get('x-request-id'), bad.headers.get('x-request-id'), bad.body.request_id];
      expect(ids).toEqual([id, id, id]);
    }
  });

  test('is a new one where it is not', async () => {
    for (const id of ['', 'a b', '0'.repeat(129), '<script>', 'a"b', '{}', "';--", 'a\tb', '\u00e9']) {
      const request = rawRequest('GET /healthz HTTP/1.1', `X-Request-Id: ${id}`);
      const { headers } = await rawHttp(service().url, request);
      expect(headers['x-request-id'], id).toMatch(newRequestId);
    }
    const repeated = rawRequest('GET /healthz HTTP/1.1', 'X-Request-Id: a', 'X-Request-Id: b');
    expect((await rawHttp(service().url, repeated)).headers['x-request-id']).toMatch(newRequestId);
  });
});

test('HEAD has the status and headers of GET and no body', async () => {
  const { team, slug } = await newTeam(service());
  await team.push(item('a.md'));
  const good = await team.call('/items', { method: 'HEAD' });
  const length = `${Buffer.byteLength(JSON.stringify((await team.pull()).body))}`;
  expect([good.status, good.body, good.headers.get('content-length')]).toEqual([200, '', length]);
  const bad = await api(service(), { slug }, 'none', '/api/v1/items', { method: 'HEAD' });
  expect([bad.status, bad.body]).toEqual([401, '']);
});
