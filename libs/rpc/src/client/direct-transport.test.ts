import { getEventListeners } from 'node:events';
import { createClient, type ServiceImpl } from '@connectrpc/connect';
import { silentLog } from '@teammemory/log/log.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, test } from 'vitest';
import { rpcService } from '../server/rpc-service.ts';
import { createErrorInterceptor } from '../server/service-interceptors.ts';
import { codeOf } from './direct-caller.fixture.ts';
import { createDirectTransport, serverStream } from './direct-transport.ts';

/** A service of these handlers, and what is counted of its calls. */
function served(implementation: Partial<ServiceImpl<typeof QueryService>>) {
  const metrics = createMetrics();
  const service = rpcService(QueryService, implementation);
  const errors = createErrorInterceptor({ service, log: silentLog(), metrics });
  const transport = createDirectTransport(service, [errors]);
  const figure = async (name: string) => {
    const lines = (await metrics.registry.metrics()).split('\n');
    return lines.filter((line) => line.startsWith(`${name}{`)).map((line) => line.split(' ').at(-1));
  };
  const [underWay, ended] = ['teammemory_rpc_calls_in_flight', 'teammemory_rpc_duration_seconds_count'];
  // Series of errors are there as 0 from the first call on.
  const counted = async () => ({
    underWay: await figure(underWay),
    ended: (await figure(ended)).filter((count) => count !== '0'),
  });
  const ask = serverStream(transport, QueryService.method.ask);
  return { client: createClient(QueryService, transport), transport, ask, counted };
}

const delta = { part: { case: 'delta' as const, value: { text: 'more' } } };

test('a stream that was given up before it was answered is counted as ended, and its handler never begins', async () => {
  let begun = false;
  const { ask, counted } = served({
    async *ask() {
      begun = true;
      yield delta;
    },
  });
  expect(await codeOf(ask({}, { signal: AbortSignal.abort() }))).toBe('cancelled');
  await eventually('the end of the call', async () => (await counted()).underWay[0] === '0');
  expect((await counted()).ended).toEqual(['1']);
  expect(begun).toBe(false);
});

test('a method of another service is not served, even one of the same name', async () => {
  const { transport, ask } = served({
    async *ask() {
      yield delta;
    },
  });
  const other = serverStream(transport, { ...QueryService.method.ask, parent: AuthService });
  expect(await codeOf(other({}, {}))).toBe('internal');
  expect(await codeOf(ask({}, {}))).toBe('ok');
});

test('no call leaves a listener on the signal of its caller, however it ends', async () => {
  const { client, ask } = served({
    search: ({ question }) => (question === 'fail' ? Promise.reject(new Error('broken')) : {}),
    async *ask({ question }) {
      yield delta;
      if (question === 'fail') throw new Error('broken');
      yield delta;
    },
  });
  const { signal } = new AbortController();
  const options = { signal, timeoutMs: 60_000 };
  const read = async (question: string, isLeft: boolean) => {
    for await (const _ of await ask({ question }, options)) if (isLeft) return;
  };
  for (let call = 0; call < 50; call += 1) {
    for (const question of ['answer', 'fail']) {
      await codeOf(client.search({ question }, options));
      await codeOf(read(question, false));
      await codeOf(read(question, true));
    }
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test.each([
  ['throws at once', { ask: () => raise() }, 'internal'],
  ['is missing', {}, 'unimplemented'],
])('a stream whose handler %s fails, and is counted once', async (_, implementation, code) => {
  const { client, counted } = served(implementation);
  const stream = client.ask({})[Symbol.asyncIterator]();
  expect(await codeOf(stream.next())).toBe(code);
  expect(await counted()).toEqual({ underWay: ['0'], ended: ['1'] });
});

function raise(): never {
  throw new Error('broken');
}
