import { type ClientHttp2Stream, constants, type OutgoingHttpHeaders } from 'node:http2';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { createMethodUrl } from '@connectrpc/connect/protocol';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { clientAddressHeader, clientNameHeader, plainAddress } from '../auth/call-origin.ts';
import type { ServiceToken } from '../auth/caller-token.ts';
import type { Endpoint } from '../client/endpoint.ts';
import { createEndpoints, type Endpoints } from '../client/endpoints.ts';
import { isOpenMethod } from '../method-limits.ts';
import type { TlsSource } from '../tls-identity.ts';
import type { Call } from './call.ts';
import type { ConnectionBounds } from './connection.ts';
import { viaPartHeader } from './guard-service.ts';
import { startHttpListener } from './http-listener.ts';
import { addOpenServices } from './open-services.ts';
import { createRequestListener } from './request-listener.ts';
import type { RpcServer } from './rpc-server.ts';

/** Calls without a token that are under way at once: each costs a part some 50 KB, and keeps a place from callers. */
export const maxOpenCalls = 200;
/** Longest time of a call. The service ends it at its deadline, of at most 120 s, by itself; only a hung one takes longer. */
const maxCallMs = 121_000;
/** Processes that are tried until one takes the call. */
const maxAttempts = 3;
/** Headers of one connection that the next must not be told (RFC 9110, section 7.6.1), and those that only we say. */
const ownHeaders = [
  ...['connection', 'host', 'http2-settings', 'keep-alive', 'proxy-connection', ':scheme', ':authority'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', viaPartHeader, clientNameHeader],
];

export interface RpcProxyOptions {
  host: string;
  port: number;
  /** Unset: without TLS. */
  tls?: TlsSource | undefined;
  /** The services behind it, and the endpoints of each. */
  targets: readonly { service: DescService; urls: readonly string[] }[];
  /** Its certificate towards the services, and the authority that it trusts there. */
  clientTls?: TlsSource | undefined;
  /**
   * Its own token for a service, by the audience: so that a service knows calls that it passes on from those of
   * strangers. Unset: services take it for a stranger until one of its callers has authenticated.
   */
  serviceToken?: ServiceToken;
  /** How long calls may go on after `close`, 10 seconds unless told. */
  drainTimeoutMs?: number;
  /** What callers may take of its connections; unset: as the README has it. */
  bounds?: Partial<ConnectionBounds>;
  log: Log;
  metrics?: Metrics;
}

/**
 * Starts a reverse proxy: one address for all services. It passes each call unchanged to an endpoint of
 * the service in its path, and answers health checks and reflection itself. It adds no trust: services
 * verify the tokens. A service is healthy if one of its endpoints can be reached.
 *
 * @throws the listener's error (EADDRINUSE, EACCES) as it is.
 */
export async function startRpcProxy(options: RpcProxyOptions): Promise<RpcServer> {
  const { targets, clientTls: tls, log, metrics } = options;
  const descriptors = targets.map(({ service }) => service);
  const pools = new Map(
    targets.map(({ service, urls }) => [service.typeName, createEndpoints(urls, { tls, log, metrics })]),
  );
  const methods = methodsOf(descriptors);
  /** Ends each call under way with an error. */
  const underWay = new Set<(error: ConnectError) => void>();
  const [closing, overdue] = [new AbortController(), new AbortController()];
  overdue.signal.addEventListener('abort', () => {
    for (const end of underWay) end(overdue.signal.reason);
  });
  const here = createRequestListener({
    routes(add) {
      // They answer nothing: what cannot be forwarded is refused in the protocol of its call.
      for (const service of descriptors) add(service, {});
      addOpenServices(add, { descriptors, checks: checksOf(pools), closing: closing.signal });
    },
    shutdownSignal: overdue.signal,
  });

  let openCalls = 0;

  /**
   * Passes a call unchanged to an endpoint, and the answer back, with back-pressure in both directions. It reads nothing
   * of the message until the endpoint asks for it, which it does once it has authenticated the caller.
   */
  async function forward(call: Call, method: DescMethod, endpoints: Endpoints): Promise<void> {
    const openCall = isOpenMethod(method) ? 1 : 0;
    if (openCall > 0 && openCalls >= maxOpenCalls)
      throw new ConnectError('too many calls are under way; try again', Code.Unavailable);
    openCalls += openCall;
    let upstream: ClientHttp2Stream | undefined;
    const end = (error: ConnectError) => {
      here.refuse(call, error);
      upstream?.close(constants.NGHTTP2_CANCEL);
    };
    const late = () => end(new ConnectError('the operation timed out', Code.DeadlineExceeded));
    const timer = setTimeout(late, maxCallMs);
    underWay.add(end);
    call.response.once('close', () => {
      openCalls -= openCall;
      clearTimeout(timer);
      underWay.delete(end);
      upstream?.close(constants.NGHTTP2_CANCEL);
    });
    const headers = await forwardedHeaders(call, method, options.serviceToken);
    const kind = method.methodKind === 'unary' ? 'unary' : 'stream';
    const opened = await openStream(endpoints, (endpoint) =>
      endpoint.request(kind, headers, { endStream: call.hasNoMessage }),
    );
    upstream = opened;
    if (call.isOver) {
      opened.close(constants.NGHTTP2_CANCEL);
      return;
    }
    passAnswer(opened, call, () => end(unavailable()));
    passMessage(call, opened, method);
  }

  function answer(call: Call): void {
    const method = methods.get(call.path);
    const endpoints = method === undefined ? undefined : pools.get(method.parent.typeName);
    if (method === undefined || endpoints === undefined) here.answer(call);
    else forward(call, method, endpoints).catch((error) => here.refuse(call, error));
  }

  const closePools = () => {
    for (const pool of pools.values()) pool.close();
  };
  const listener = await startHttpListener({
    ...options,
    peers: 'public',
    onCall: answer,
    closing,
    overdue,
  }).catch((error: unknown) => {
    closePools();
    throw error;
  });
  return {
    port: listener.port,
    async close() {
      await listener.close();
      closePools();
    },
  };
}

/** The methods of services by their paths. */
function methodsOf(services: readonly DescService[]): ReadonlyMap<string, DescMethod> {
  return new Map(
    services.flatMap(({ methods }) => methods.map((method) => [createMethodUrl('/', method), method])),
  );
}

/** Passes the message of a call on when the service asks for it. */
function passMessage(call: Call, upstream: ClientHttp2Stream, method: DescMethod): void {
  if (call.hasNoMessage) {
    call.body.resume();
    return;
  }
  upstream.once('continue', () => {
    // The service knows who it is.
    if (!isOpenMethod(method)) call.connection.know();
    call.askForMessage();
    call.body.pipe(upstream);
  });
}

function checksOf(pools: ReadonlyMap<string, Endpoints>) {
  const all = () => Promise.all([...pools.values()].map((pool) => pool.ready()));
  const each = [...pools].map(([service, pool]) => [service, pool.ready] as const);
  return new Map<string, () => Promise<unknown>>([['', all], ...each]);
}

/** The headers of a call as its service gets them. */
async function forwardedHeaders(
  call: Call,
  method: DescMethod,
  serviceToken: ServiceToken | undefined,
): Promise<OutgoingHttpHeaders> {
  const headers: OutgoingHttpHeaders = { ...call.request.headers };
  for (const name of ownHeaders) delete headers[name];
  headers[':method'] = call.request.method;
  headers[':path'] = call.request.url;
  headers[clientAddressHeader] = plainAddress(call.connection.socket.remoteAddress);
  if (!call.hasNoMessage) headers.expect = '100-continue';
  const audience = method.parent.typeName.split('.')[1] ?? '';
  if (serviceToken !== undefined) headers[viaPartHeader] = await serviceToken(audience);
  return headers;
}

/** Opens a call at a process. @throws ConnectError where none can be reached. */
async function openStream(
  endpoints: Endpoints,
  request: (endpoint: Endpoint) => Promise<ClientHttp2Stream>,
): Promise<ClientHttp2Stream> {
  const tried = new Set<Endpoint>();
  for (let attempts = 1; attempts <= maxAttempts; attempts += 1) {
    const endpoint = endpoints.choose(undefined, tried);
    if (endpoint === undefined) break;
    tried.add(endpoint);
    // Nothing was sent where it fails, so that another process may be asked.
    const opened = await request(endpoint).catch(() => undefined);
    if (opened !== undefined) return opened;
  }
  throw unavailable();
}

function passAnswer(upstream: ClientHttp2Stream, call: Call, fail: () => void): void {
  const { response } = call;
  let isWhole = false;
  upstream.once('response', ({ ':status': status = 502, ...headers }, flags) => {
    if (call.isOver) return;
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value ?? '');
    // Headers that are the whole answer go out as such, with its end.
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) === 0) response.flushHeaders();
  });
  upstream.once('trailers', (trailers) => response.addTrailers(trailers as OutgoingHttpHeaders));
  upstream.pipe(response, { end: false });
  upstream.once('end', () => {
    isWhole = true;
    call.end();
  });
  upstream.once('close', () => {
    if (!isWhole) fail();
  });
}

function unavailable(): ConnectError {
  return new ConnectError('a part of the service cannot be reached', Code.Unavailable);
}
