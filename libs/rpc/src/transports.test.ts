import { Code, ConnectError, createClient, type ServiceImpl, type Transport } from '@connectrpc/connect';
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from '@connectrpc/connect-node';
import { AppError } from '@teammemory/errors/app-error.ts';
import { silentLog } from '@teammemory/log/log.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { requireCaller } from './auth/caller-context.ts';
import { createTokenSigner, createTokenVerifier, generateSigningKeys } from './auth/caller-token.ts';
import type { Caller } from './auth/principal.ts';
import { createDirectTransport } from './client/direct-transport.ts';
import { createNetworkTransport } from './client/network-transport.ts';
import { appErrorFromRpc } from './error-translation.ts';
import { guardService } from './server/guard-service.ts';
import { startRpcProxy } from './server/rpc-proxy.ts';
import { type RpcServer, startRpcServer } from './server/rpc-server.ts';
import { rpcService } from './server/rpc-service.ts';

const caller: Caller = {
  teamId: '01890000-0000-7000-8000-000000000001',
  teamSlug: 'blue',
  memberId: '01890000-0000-7000-8000-000000000002',
  memberHandle: 'ada',
  tier: 'external',
  access: 'own',
  keyId: 'k'.repeat(16),
};

/** What the handlers did, for tests that look at their end. */
let ended: string[] = [];

/** Handlers that do what the question says. */
const implementation: Partial<ServiceImpl<typeof QueryService>> = {
  async search({ question, limit }, context) {
    const { memberHandle, tier } = requireCaller(context);
    if (question === 'refuse') {
      const violations = [{ pointer: '/q', detail: 'is wrong' }];
      throw new AppError('invalid_request', 'The question is wrong.', { violations, cause: 'private' });
    }
    if (question === 'fail') throw new Error('password=hunter2');
    if (question === 'hang') await aborted(context.signal);
    const text = question === 'large' ? 'é'.repeat(limit) : question;
    return { passages: [{ rowKey: `${memberHandle}/${tier}`, text }] };
  },
  async *ask({ question }, context) {
    requireCaller(context);
    try {
      yield { part: { case: 'delta', value: { text: 'one' } } };
      if (question === 'refuse') throw new AppError('unavailable', 'No more.');
      if (question === 'hang') await aborted(context.signal);
      yield { part: { case: 'delta', value: { text: 'two' } } };
      yield { part: { case: 'sources', value: { sources: [] } } };
    } finally {
      ended.push(question);
    }
  },
};

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const service = rpcService(QueryService, implementation);
const { privateKey, publicKey } = generateSigningKeys();
const signer = createTokenSigner({ privateKey, clock: Date.now });
const served = guardService({
  service,
  verifier: createTokenVerifier({ publicKeys: [publicKey], clock: Date.now }),
  administratorToken: 'administrator',
  clock: Date.now,
  log: silentLog(),
  metrics: createMetrics(),
});

let server: RpcServer;
let proxy: RpcServer;
let headers: { authorization: string };

beforeAll(async () => {
  server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [served],
  });
  proxy = await startRpcProxy({
    host: '127.0.0.1',
    port: 0,
    targets: [{ service: QueryService, urls: [baseUrl()] }],
    log: silentLog(),
  });
  headers = { authorization: `Bearer ${await signer.sign({ kind: 'member', caller }, 'query')}` };
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});
beforeEach(() => {
  ended = [];
});

const baseUrl = () => `http://127.0.0.1:${server.port}`;
const proxyUrl = () => `http://127.0.0.1:${proxy.port}`;
const transports: [string, () => Transport][] = [
  ['the direct transport', () => createDirectTransport(service, served.interceptors)],
  ['the network transport', () => createNetworkTransport({ urls: [baseUrl()], log: silentLog() })],
  ['Connect', () => createConnectTransport({ baseUrl: baseUrl(), httpVersion: '2' })],
  ['gRPC', () => createGrpcTransport({ baseUrl: baseUrl() })],
  ['gRPC-Web', () => createGrpcWebTransport({ baseUrl: baseUrl(), httpVersion: '2' })],
  [
    'Connect through the reverse proxy',
    () => createConnectTransport({ baseUrl: proxyUrl(), httpVersion: '2' }),
  ],
  ['gRPC through the reverse proxy', () => createGrpcTransport({ baseUrl: proxyUrl() })],
  [
    'gRPC-Web through the reverse proxy',
    () => createGrpcWebTransport({ baseUrl: proxyUrl(), httpVersion: '2' }),
  ],
];

describe.each(transports)('over %s', (_, open) => {
  const client = () => createClient(QueryService, open());

  /** What a call threw, as RPC says it and as our parts read it. */
  async function errorOf(call: Promise<unknown>) {
    const thrown = await call.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(thrown).toBeInstanceOf(ConnectError);
    const { code, message, violations } = appErrorFromRpc(thrown);
    return {
      rpcCode: (thrown as ConnectError).code,
      code,
      message,
      violations: violations.map((one) => ({ ...one })),
    };
  }

  async function collect(question: string, options: object = {}): Promise<string[]> {
    const texts: string[] = [];
    for await (const { part } of client().ask({ question }, { headers, ...options })) {
      texts.push(part.case === 'delta' ? part.value.text : String(part.case));
    }
    return texts;
  }

  test('a call is answered, and its handler knows who calls', async () => {
    const { passages } = await client().search({ question: 'q' }, { headers });
    expect(passages).toMatchObject([{ rowKey: 'ada/external', text: 'q' }]);
  });

  test('an answer of many megabytes arrives whole', async () => {
    const { passages } = await client().search({ question: 'large', limit: 4_000_000 }, { headers });
    expect(passages[0]?.text.length).toBe(4_000_000);
  });

  test('a stream is answered in order', async () => {
    expect(await collect('q')).toEqual(['one', 'two', 'sources']);
  });

  test('an error keeps its code, its public message and its fields, and nothing else', async () => {
    const error = await errorOf(client().search({ question: 'refuse' }, { headers }));
    expect(error).toMatchObject({
      rpcCode: Code.InvalidArgument,
      code: 'invalid_request',
      message: 'The question is wrong.',
    });
    expect(error.violations).toMatchObject([{ pointer: '/q', detail: 'is wrong' }]);
    expect(JSON.stringify(error)).not.toContain('private');
  });

  test('a fault of ours says nothing about itself', async () => {
    expect(await errorOf(client().search({ question: 'fail' }, { headers }))).toEqual({
      rpcCode: Code.Internal,
      code: 'internal',
      message: 'Something went wrong on our side.',
      violations: [],
    });
  });

  test('an error within a stream comes after what was sent before it', async () => {
    const texts: string[] = [];
    const read = async () => {
      for await (const { part } of client().ask({ question: 'refuse' }, { headers }))
        texts.push(`${part.case}`);
    };
    expect(await errorOf(read())).toMatchObject({ code: 'unavailable', message: 'No more.' });
    expect(texts).toEqual(['delta']);
  });

  test.each([
    ['no token', {}],
    ['a token of another scheme', { authorization: 'Basic YTpi' }],
    ['a forged token', { authorization: 'Bearer x.y.z' }],
    ['an empty token', { authorization: 'Bearer ' }],
  ])('a call with %s reaches no handler', async (_, wrong) => {
    const unauthenticated = { rpcCode: Code.Unauthenticated, code: 'unauthenticated' };
    expect(await errorOf(client().search({ question: 'q' }, { headers: wrong }))).toMatchObject(
      unauthenticated,
    );
    expect(await errorOf(collect('q', { headers: wrong }))).toMatchObject(unauthenticated);
    expect(ended).toEqual([]);
  });

  test('an administrator is known, and is no member', async () => {
    const administrator = { authorization: 'Bearer administrator' };
    expect(await errorOf(client().search({ question: 'q' }, { headers: administrator }))).toMatchObject({
      rpcCode: Code.PermissionDenied,
      code: 'permission_denied',
    });
  });

  test('a call ends at its deadline', async () => {
    const late = { rpcCode: Code.DeadlineExceeded, code: 'unavailable' };
    // Long enough for one of the two to reach the handler.
    const options = { headers, timeoutMs: 500 };
    expect(await errorOf(client().search({ question: 'hang' }, options))).toMatchObject(late);
    expect(await errorOf(collect('hang', options))).toMatchObject(late);
    await eventually('the end of the handler', () => ended.includes('hang'));
  });

  test('a call ends when its caller goes away, and so does the work', async () => {
    const cancelled = { rpcCode: Code.Canceled, code: 'cancelled' };
    const first = new AbortController();
    const searching = errorOf(client().search({ question: 'hang' }, { headers, signal: first.signal }));
    setImmediate(() => first.abort());
    expect(await searching).toMatchObject(cancelled);

    const second = new AbortController();
    const reading = async () => {
      const stream = client().ask({ question: 'hang' }, { headers, signal: second.signal });
      for await (const _ of stream) second.abort();
    };
    expect(await errorOf(reading())).toMatchObject(cancelled);
    await eventually('the end of the handler', () => ended.includes('hang'));
  });

  test('a method without a handler is unimplemented', async () => {
    const empty = rpcService(QueryService, {});
    const bare = createClient(QueryService, createDirectTransport(empty, served.interceptors));
    expect(await errorOf(bare.search({}, { headers }))).toMatchObject({ code: 'unimplemented' });
  });
});
