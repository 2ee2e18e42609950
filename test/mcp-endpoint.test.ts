import { request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { startModelServer } from '@teammemory/testkit/model-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { item } from './support/http/api.ts';
import { newTeam } from './support/http/key-holder.ts';
import {
  type Message,
  type MessageOptions,
  openMessage,
  request,
  sendMessage,
  toolCall,
} from './support/http/mcp.ts';
import { startService, type Team } from './support/service/running-service.ts';
import { sharedService } from './support/service/shared-service.ts';

const [trustedName, trustedOrigin] = ['memory.example.org', 'https://app.example.org'];
const maxBodyBytes = 65_536;
/** It writes a word and then nothing more. */
const model = await startModelServer((reply) => reply.text('In the '));
afterAll(() => model.stop());
const settings = {
  MCP_HOSTS: trustedName,
  CORS_ORIGINS: trustedOrigin,
  MAX_BODY_BYTES: String(maxBodyBytes),
  OPENAI_BASE_URL: model.baseUrl,
  OPENAI_MODEL: 'writer',
  MODEL_PRICES: '{"writer":{"input":0,"output":0}}',
};
const service = sharedService({ environment: settings });

let team: Team;
let other: Team;
beforeAll(async () => {
  [team, other] = await Promise.all([service().createTeam(), service().createTeam()]);
});

const discover = request('server/discover');
const otterCall = toolCall('ask', { question: 'Where does the otter sleep?' });
const send = (options: MessageOptions, message: Message = discover, key?: string) =>
  sendMessage(service(), team, key ?? team.teamKey, message, options);

test('no app registers itself, and none is invited to, unless the operator allows it', async () => {
  const { url } = service();
  const metadata = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json();
  expect(metadata).not.toHaveProperty('registration_endpoint');
  const body = JSON.stringify({ redirect_uris: ['http://127.0.0.1/callback'] });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${url}/oauth/register`, { method: 'POST', headers, body })).status).toBe(404);
});

test('a server says who it is, with the team from the header, from the path, or from both', async () => {
  const identity = { name: 'team-memory' };
  const path = `/mcp/${team.slug}`;
  for (const way of [{}, { path, headers: { 'x-svc-team': undefined } }, { path }, { path: '/mcp/' }]) {
    const { status, headers, body } = await send(way);
    expect(status).toBe(200);
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      id: 1,
      result: { _meta: { 'io.modelcontextprotocol/serverInfo': identity } },
    });
  }
});

test('a path and a header that name no team, or another one, get the same answer', async () => {
  const ways: MessageOptions[] = [
    { headers: { 'x-svc-team': undefined } },
    { headers: { 'x-svc-team': other.slug } },
    { headers: { 'x-svc-team': 'no-such-team' } },
    { path: `/mcp/${other.slug}`, headers: { 'x-svc-team': undefined } },
    { path: '/mcp/no-such-team', headers: { 'x-svc-team': undefined } },
    { path: `/mcp/${other.slug}` },
    { path: `/mcp/${team.slug}`, headers: { 'x-svc-team': other.slug } },
  ];
  const told = new Set<string>();
  for (const way of ways) {
    const { status, body } = await send(way);
    expect(status).toBe(403);
    told.add(JSON.stringify({ ...body, request_id: '' }));
  }
  expect([...told]).toHaveLength(1);
  expect(told.values().next().value).toContain('team_forbidden');
});

const scopes = 'memory:read memory:propose memory:own memory:write';

test('without a valid key a client learns where it is told how to send one, and not which teams there are', async () => {
  for (const [path, key] of [
    ['/mcp', undefined],
    ['/mcp', `${'x'.repeat(20)}`],
    [`/mcp/${team.slug}`, undefined],
    ['/mcp/no-such-team', undefined],
  ] as const) {
    const { status, headers, body } = await sendMessage(service(), team, key, discover, { path });
    expect([status, body.code]).toEqual([401, 'invalid_key']);
    const address = `${service().url}/.well-known/oauth-protected-resource${path}`;
    expect(headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${address}", scope="${scopes}"`);
    const metadata = await fetch(address);
    expect(metadata.status).toBe(200);
    expect(await metadata.json()).toEqual({
      resource: `${service().url}${path}`,
      authorization_servers: [service().url],
      scopes_supported: scopes.split(' '),
      bearer_methods_supported: ['header'],
      resource_name: 'Team Memory',
      resource_documentation: `${service().url}/docs`,
    });
  }
  const root = await fetch(`${service().url}/.well-known/oauth-protected-resource`);
  expect(await root.json()).toMatchObject({ resource: service().url });
  const proxied = await sendRaw({ host: trustedName, 'x-forwarded-proto': 'https' });
  expect(proxied.challenge).toBe(
    `Bearer resource_metadata="https://${trustedName}/.well-known/oauth-protected-resource/mcp", scope="${scopes}"`,
  );
});

/** An answer of a problem or a metadata document, with its challenge. */
interface RawAnswer {
  status: number;
  body: Record<string, string>;
  challenge: string | undefined;
}

/** Sends what `fetch` would not: a Host of one's own, or a header twice. */
function sendRaw(headers: Record<string, string | string[]>, path = '/mcp', method = 'POST') {
  const { hostname, port } = new URL(service().url);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const sent = httpRequest({ hostname, port, path, method, headers }, async (answer) => {
    const body = (await json(answer)) as RawAnswer['body'];
    resolve({ status: answer.statusCode ?? 0, body, challenge: answer.headers['www-authenticate'] });
  });
  sent.on('error', reject).end(method === 'POST' ? JSON.stringify(discover) : undefined);
  return promise;
}

const good = () => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${team.teamKey}`,
  'x-svc-team': team.slug,
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'server/discover',
});

test('a key that is sent twice is refused', async () => {
  const authorization = [`Bearer ${team.teamKey}`, `Bearer ${team.teamKey}`];
  expect(await sendRaw({ ...good(), authorization })).toMatchObject({ status: 401 });
});

test.for([
  ['localhost', 200],
  ['LOCALHOST:80', 200],
  ['127.0.0.1:1234', 200],
  ['[::1]:8080', 200],
  [trustedName, 200],
  [`${trustedName.toUpperCase()}:8443`, 200],
  ['evil.example.org', 403],
  [`${trustedName}.evil.example.org`, 403],
  [`evil.example.org@${trustedName}`, 403],
  ['localhost.evil.example.org', 403],
  [`${trustedName}, evil.example.org`, 403],
] as const)('a request to the host %s gets %i', async ([host, status]) => {
  const answer = await sendRaw({ ...good(), host });
  expect(answer.status).toBe(status);
  const metadata = await sendRaw({ host }, '/.well-known/oauth-protected-resource/mcp', 'GET');
  expect(metadata.status).toBe(status);
  if (status === 200) return;
  for (const { body } of [answer, metadata]) {
    expect(body).toMatchObject({ code: 'forbidden_origin', detail: expect.stringContaining('MCP_HOSTS') });
  }
});

test.for([
  [trustedName, `https://${trustedName}`, 200],
  [trustedName, `http://${trustedName}`, 200],
  [`${trustedName}:8443`, `https://${trustedName}:8443`, 200],
  ['127.0.0.1:8080', 'http://127.0.0.1:8080', 200],
  [trustedName, trustedOrigin, 200],
  [`${trustedName}:8443`, `https://${trustedName}`, 403],
  ['127.0.0.1:8080', 'http://127.0.0.1:9090', 403],
  [trustedName, 'https://evil.example.org', 403],
  [trustedName, `ftp://${trustedName}`, 403],
  [trustedName, 'null', 403],
  [trustedName, '', 403],
] as const)('a request to %s from a page of %s gets %i', async ([host, origin, status]) => {
  const answer = await sendRaw({ ...good(), host, origin });
  expect(answer.status).toBe(status);
  if (status === 403) expect(answer.body.code).toBe('forbidden_origin');
});

test('a page of a listed origin may send what clients send', async () => {
  const asked = 'authorization,content-type,mcp-method,mcp-name,mcp-protocol-version,x-svc-team';
  const headers = {
    origin: trustedOrigin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': asked,
  };
  const response = await fetch(`${service().url}/mcp`, { method: 'OPTIONS', headers });
  expect(response.status).toBe(204);
  const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(', ') ?? [];
  expect(asked.split(',').filter((name) => !allowed.includes(name))).toEqual([]);
  const answer = await send({ headers: { origin: trustedOrigin } });
  expect(answer.headers.get('access-control-allow-origin')).toBe(trustedOrigin);
});

interface SentRequest {
  method: string;
  headers: Record<string, string>;
  body: string;
}

/** What can be wrong, in the order in which it is told. */
const faults: [name: string, status: number, code: string, spoil: (sent: SentRequest) => SentRequest][] = [
  ['host', 403, 'forbidden_origin', withHeader('host', () => 'evil.example.org')],
  ['origin', 403, 'forbidden_origin', withHeader('origin', () => 'https://evil.example.org')],
  ['key', 401, 'invalid_key', withHeader('authorization', () => 'Bearer nobody')],
  ['team', 403, 'team_forbidden', withHeader('x-svc-team', () => other.slug)],
  ['method', 405, 'method_not_allowed', (sent) => ({ ...sent, method: 'PUT' })],
  ['size', 413, 'payload_too_large', (sent) => ({ ...sent, body: sent.body.padEnd(maxBodyBytes + 1) })],
  ['encoding', 415, 'unsupported_media_type', withHeader('content-encoding', () => 'br')],
  ['media type', 415, 'unsupported_media_type', withHeader('content-type', () => 'text/plain')],
  ['JSON', 400, 'invalid_json', (sent) => ({ ...sent, body: sent.body.replace(/\S+/, '{') })],
];

function withHeader(name: string, value: () => string) {
  return (sent: SentRequest) => ({ ...sent, headers: { ...sent.headers, [name]: value() } });
}

test('of all that is wrong with a request, the first is told', async () => {
  const { hostname, port } = new URL(service().url);
  for (const [index, [name, status, code, spoil]] of faults.entries()) {
    for (const [, , , spoilAlso] of faults.slice(index)) {
      const sent = { method: 'POST', headers: good(), body: JSON.stringify(discover) };
      const { body, ...options } = spoil(spoilAlso(sent));
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const sending = httpRequest({ hostname, port, path: '/mcp', ...options }, async (answer) => {
        const problem = (await json(answer)) as { code: string };
        resolve([answer.statusCode, problem.code]);
      });
      sending.on('error', reject).end(body);
      expect(await promise, name).toEqual([status, code]);
    }
  }
});

test('every method but POST is refused, because no session is kept', async () => {
  for (const path of ['/mcp', `/mcp/${team.slug}`]) {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) {
      const { status, headers, body } = await sendMessage(service(), team, team.teamKey, undefined, {
        method,
        path,
      });
      expect([status, headers.get('allow'), body.code], method).toEqual([405, 'POST', 'method_not_allowed']);
    }
  }
  const { status } = await sendMessage(service(), team, team.teamKey, discover, { path: '/mcp/a/b' });
  expect(status).toBe(404);
});

const old = { 'mcp-protocol-version': '2025-03-26', 'mcp-method': undefined, 'mcp-name': undefined };
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

test('a client of an earlier revision is served, a batch of 16 messages included, and one more is refused', async () => {
  const single = await send({ headers: old }, listTools);
  expect(single.status).toBe(200);
  expect(single.body.result.tools).toHaveLength(6);
  const batch = (size: number) => Array.from({ length: size }, (_, id) => ({ ...listTools, id }));
  const answer = await openMessage(service(), team, team.teamKey, batch(16), { headers: old });
  expect((await answer.text()).match(/"tools":/g)).toHaveLength(16);
  const refused = await send({ headers: old }, batch(17));
  expect([refused.status, refused.body.code]).toEqual([422, 'invalid_request']);
  expect(refused.body.detail).toContain('at most 16 messages');
});

test('a body that is no message is refused by the protocol, and one with too many values before it is parsed', async () => {
  for (const body of ['null', '7', '"text"', '[]', '{}']) {
    const { status, body: answer } = await send({ headers: { 'mcp-method': 'server/discover' } }, body);
    expect([status, answer.error.code], body).toEqual([400, -32_600]);
  }
  const many = await send(
    { headers: { 'content-encoding': 'zstd' } },
    zstdCompressSync(`{"a":[${'1,'.repeat(30_000)}1]}`),
  );
  expect([many.status, many.body.code]).toEqual([422, 'invalid_request']);
  const deep = await send({}, `{"a":${'['.repeat(70)}${']'.repeat(70)}}`);
  expect([deep.status, deep.body.code]).toEqual([422, 'invalid_request']);
});

test('a compressed message is read, and a large answer is compressed', async () => {
  const compressed = zstdCompressSync(JSON.stringify(request('tools/list')));
  const headers = { 'content-encoding': 'zstd', 'mcp-method': 'tools/list', 'accept-encoding': 'gzip' };
  const answer = await send({ headers }, compressed);
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect(answer.body.result.tools).toHaveLength(6);
});

test('a call of a tool is counted by its tool and how it ended, and an unknown tool is not', async () => {
  const clients = await newTeam(service());
  await clients.team.push(item('otter.md', 'The otter sleeps in the harbour.'));
  const call = (name: string, given: object) =>
    sendMessage(service(), clients, clients.teamKey, toolCall(name, given));
  expect((await call('fetch', { id: 'otter.md' })).body.result.isError).toBeUndefined();
  expect((await call('fetch', { id: 'absent.md' })).body.result.isError).toBe(true);
  expect((await call('unknown', {})).body.error.code).toBe(-32_602);
  for (const outcome of ['done', 'not_found']) {
    const sample = `teammemory_mcp_tool_calls_total{tool="fetch",outcome="${outcome}"} 1`;
    const isCounted = async () => (await service().metrics()).split('\n').includes(sample);
    await eventually(`one call was counted as ${outcome}`, isCounted);
  }
  expect(await service().metrics()).not.toContain('unknown"');
});

test('the reader who leaves cancels the call of the model', async () => {
  const clients = await newTeam(service());
  await clients.team.push(item('otter.md', 'The otter sleeps in the harbour.'));
  for (const headers of [{}, { ...old, 'mcp-protocol-version': '2025-06-18' }]) {
    const closed = Promise.withResolvers<void>();
    model.script = (reply) => {
      reply.text('In the ');
      reply.closed.then(closed.resolve);
    };
    const asked = model.requests.length;
    const leaving = new AbortController();
    const { _meta, ...params } = otterCall.params as Record<string, unknown>;
    const message = 'mcp-method' in headers ? { ...otterCall, params } : otterCall;
    const response = await openMessage(service(), clients, clients.teamKey, message, {
      headers,
      signal: leaving.signal,
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    await eventually('the call of the model', () => model.requests.length > asked);
    leaving.abort();
    await closed.promise;
  }
});

test('an answer that is being written when the gateway shuts down ends with an error that says so', async () => {
  const own = await startService({ environment: settings });
  try {
    const clients = await newTeam(own);
    await clients.team.push(item('otter.md', 'The otter sleeps in the harbour.'));
    model.script = (reply) => reply.text('In the ');
    const asked = model.requests.length;
    const answer = sendMessage(own, clients, clients.teamKey, otterCall);
    await eventually('the call of the model', () => model.requests.length > asked);
    const exit = own.end('SIGTERM');
    const { body } = await answer;
    expect(body.result).toMatchObject({ isError: true });
    expect(body.result.content[0].text).toMatch(/^unavailable: The gateway is shutting down/);
    expect(await exit).toBe(0);
  } finally {
    await own.remove();
  }
});
