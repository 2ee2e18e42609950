import { describe, expect, test } from 'vitest';
import { checkConformance, type Exchange } from './conformance.ts';
import { documentedStatuses, openApiDocument } from './document.ts';

const json = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'a',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};
const projects = {
  method: 'GET',
  path: '/api/v1/projects?x=1',
  status: 200,
  headers: json,
  body: { projects: [{ slug: 'rivers', name: 'Rivers', brain_only: true }] } as unknown,
};
const eventStream = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
};
const stream = {
  method: 'POST',
  path: '/api/v1/query',
  status: 200,
  headers: {
    ...json,
    ...eventStream,
    'x-accel-buffering': 'no',
    'ratelimit-policy': '"questions";q=60;w=60',
    ratelimit: '"questions";r=59;t=60',
  },
  body: 'event: delta\ndata: {"text":"a"}\n\n: keep-alive\n\nevent: sources\ndata: []\n\nevent: done\ndata: {}\n\n',
};
const problem = (status: number, code: string) => ({
  ...projects,
  status,
  headers: { ...json, 'content-type': 'application/problem+json' },
  body: { type: `/problems/${code}`, title: 'a', status, detail: 'b', code, request_id: 'a' },
});

function check({
  headers,
  body,
  ...exchange
}: Omit<Exchange, 'headers' | 'text'> & { headers: object; body: unknown }) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return checkConformance({ ...exchange, headers: new Headers({ ...headers }), text });
}

describe('an answer as documented passes', () => {
  const whole = problem(404, 'not_found');
  test.each([
    ['a body', projects],
    ['no body for HEAD', { ...projects, method: 'HEAD', body: '' }],
    ['a stream', stream],
    [
      'a stream that breaks off',
      { ...stream, body: 'event: error\ndata: {"code":"internal","detail":"a"}\n\n' },
    ],
    ['a problem', problem(403, 'forbidden_tier')],
    ['an unknown path', { ...whole, path: '/api/v1/nothing' }],
    ['a path without its parameter', { ...whole, path: '/api/v1/items/' }],
    ['a parameter with slashes', { ...whole, method: 'DELETE', path: '/api/v1/items/a/b.md' }],
    ['no content', { ...projects, method: 'DELETE', path: '/api/v1/items/a', status: 204, body: '' }],
  ])('%s', (_name, exchange) => {
    expect(() => check(exchange)).not.toThrow();
  });
});

describe('any other answer is told with its request', () => {
  test.each([
    ['a status', { ...problem(404, 'not_found') }, 'the document lists 200'],
    ['a member missing', { ...projects, body: {} }, "required property 'projects'"],
    ['a member too many', { ...projects, body: { projects: [], more: 1 } }, 'additional properties'],
    ['a wrong type', { ...projects, body: { projects: {} } }, 'must be array'],
    ['another media type', { ...projects, headers: { ...json, 'content-type': 'text/plain' } }, 'text/plain'],
    [
      'a header missing',
      { ...projects, headers: { 'content-type': 'application/json' } },
      'X-Request-Id is missing',
    ],
    [
      'a header of one operation missing',
      { ...stream, headers: { ...json, ...eventStream } },
      'X-Accel-Buffering is missing',
    ],
    [
      'a header of another form',
      { ...projects, headers: { ...json, 'x-request-id': ' a b' } },
      'X-Request-Id: it must',
    ],
    ['a code of another operation', problem(403, 'admin_tier'), 'the body'],
    ['a body for HEAD', { ...projects, method: 'HEAD' }, 'no body'],
    ['a payload', { ...stream, body: 'event: delta\ndata: {}\n\n' }, 'the event delta'],
    ['an unknown event', { ...stream, body: 'event: more\ndata: {}\n\n' }, 'no event more'],
    [
      'a stream without its end',
      { ...stream, body: 'event: delta\ndata: {"text":"a"}\n\n' },
      'in the order delta',
    ],
    ['an unknown path', { ...projects, path: '/api/v1/nothing' }, 'does not know'],
    ['an unknown method', { ...projects, method: 'PUT' }, 'does not know'],
  ])('%s', (_name, exchange, reason) => {
    const request = `${exchange.method} ${exchange.path.split('?')[0]} answered ${exchange.status}`;
    expect(() => check(exchange)).toThrow(request);
    expect(() => check(exchange)).toThrow(reason);
  });
});

test('every operation lists its statuses', () => {
  const statuses = documentedStatuses(openApiDocument);
  expect(statuses.get('readReadiness')).toEqual([200, 405, 503]);
  expect(statuses.size).toBe(Object.values(openApiDocument.paths).flatMap(Object.keys).length);
});
