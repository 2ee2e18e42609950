import { Code, ConnectError, createRouterTransport, type Transport } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { connectErrorFrom } from '@teammemory/rpc/error-translation.ts';
import { expect, test } from 'vitest';
import { createAuthClient, createClients } from './clients.ts';

const callers = {
  authenticate: () => Promise.reject(new Error('nobody asks')),
  tokenFor: async () => 'token',
};

/** The clients before services that answer every call with `failure`; of an answer one part comes before it. */
function failing(failure: () => Error) {
  const fail = () => {
    throw failure();
  };
  const transport = createRouterTransport(({ service }) => {
    service(AuthService, { authenticate: fail });
    service(AnalyticsService, { pushScan: fail });
    service(ContentService, { listItems: fail });
    service(QueryService, {
      async *ask({ question }) {
        if (question === 'at once') fail();
        yield { part: { case: 'delta', value: { text: 'a' } } };
        fail();
      },
    });
  });
  return clientsOf(transport);
}

function clientsOf(transport: Transport) {
  const transports = { analytics: transport, auth: transport, content: transport, query: transport };
  return { ...createClients(transports, callers), auth: createAuthClient(transport) };
}

/** Each way in which a call can fail. */
const calls: [string, (clients: ReturnType<typeof clientsOf>) => Promise<unknown>][] = [
  ['auth', ({ auth }) => auth.authenticate({})],
  ['analytics', ({ analytics }) => analytics.pushScan({})],
  ['content', ({ content }) => content.listItems({})],
  ['query, before the first part', ({ ask }) => readAll(ask({ question: 'at once' }, {}))],
  ['query, after the first part', ({ ask }) => readAll(ask({ question: 'later' }, {}))],
];

async function readAll(answer: Promise<AsyncIterable<unknown>>): Promise<unknown[]> {
  return Array.fromAsync(await answer);
}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test.each(calls)('a refusal by %s arrives as the AppError that it is', async (_, call) => {
  const violations = [{ pointer: '/a', detail: 'is wrong' }];
  const clients = failing(() =>
    connectErrorFrom(new AppError('unknown_member', 'Nobody has that name.', { violations })),
  );
  const error = await errorOf(call(clients));
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: 'unknown_member', message: 'Nobody has that name.', violations });
});

test.each(calls)('a connection to %s that breaks arrives as unavailable', async (_, call) => {
  const error = await errorOf(call(failing(() => new ConnectError('connection refused', Code.Unavailable))));
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({ code: 'unavailable' });
  expect((error as AppError).message).not.toContain('refused');
});

test('every unary method of every client fails with an AppError', async () => {
  const { auth, analytics, content } = clientsOf(
    createRouterTransport(({ service }) => {
      for (const each of [AuthService, AnalyticsService, ContentService]) service(each, {});
    }),
  );
  const clients = { auth, analytics, content } as unknown as Record<string, Record<string, typeof errorOf>>;
  const methods = [AuthService, AnalyticsService, ContentService].flatMap((service) =>
    service.methods
      .filter(({ methodKind }) => methodKind === 'unary')
      .map(({ localName }) => clients[service.typeName.split('.')[1] ?? '']?.[localName]),
  ) as ((request: object) => Promise<unknown>)[];
  expect(methods.length).toBeGreaterThan(10);
  for (const method of methods) {
    const error = await errorOf(method({}));
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'unimplemented' });
  }
});
