import {
  type CallOptions,
  type Client,
  createClient,
  createContextValues,
  type Transport,
} from '@connectrpc/connect';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { ContentService, type WatchHeadsResponse } from '@teammemory/proto/content/v1/content_pb.ts';
import {
  type AskRequestSchema,
  type AskResponseSchema,
  QueryService,
} from '@teammemory/proto/query/v1/query_pb.ts';
import { clientAddressHeader, clientNameHeader, requestIdHeader } from '@teammemory/rpc/auth/call-origin.ts';
import type { ServiceToken } from '@teammemory/rpc/auth/caller-token.ts';
import type { Caller } from '@teammemory/rpc/auth/principal.ts';
import { type ServerStream, serverStream } from '@teammemory/rpc/client/direct-transport.ts';
import { affinityKey } from '@teammemory/rpc/client/network-transport.ts';
import { appErrorFromRpc } from '@teammemory/rpc/error-translation.ts';

/** How long a unary call may take; stores give up earlier. */
const unaryTimeoutMs = 10_000;
/** How long an answer, or a stream of changes, may take. */
const streamTimeoutMs = 120_000;

/** How each service is reached: over the network or directly in the same process. */
export interface Transports {
  analytics: Transport;
  auth: Transport;
  content: Transport;
  query: Transport;
}

/** Where the request comes from that a call is made for. */
export interface CallOrigin {
  requestId: string;
  /** IP address of the client, which acts are noted with in the audit log. */
  clientAddress?: string;
  /** The program, by its own account, which versions of items are noted with. */
  clientName?: string | undefined;
}

/** Returns the headers that tell a service where a request comes from. */
export function originHeaders({ requestId, clientAddress, clientName }: CallOrigin): Record<string, string> {
  return {
    [requestIdHeader]: requestId,
    ...(clientAddress !== undefined && { [clientAddressHeader]: clientAddress }),
    ...(clientName !== undefined && { [clientNameHeader]: clientName }),
  };
}

/** The request that a call is made for. */
export interface CallFor extends CallOrigin {
  caller: Caller;
  /** Cancels the call; unset for work that continues without its reader. */
  signal?: AbortSignal;
}

/** The services behind the gateway. Every failed call and stream rejects with an `AppError`. */
export interface Clients {
  analytics: Client<typeof AnalyticsService>;
  auth: Client<typeof AuthService>;
  content: Client<typeof ContentService>;
  /** The two methods of the query service that the gateway calls. */
  ask: ServerStream<typeof AskRequestSchema, typeof AskResponseSchema>;
  search: Client<typeof QueryService>['search'];
  /** Returns the options of a unary call to a service: the caller token, the request id and a deadline. */
  unary(audience: 'analytics' | 'auth' | 'content' | 'query', call: CallFor): Promise<CallOptions>;
  /** The same for a stream. */
  stream(audience: 'analytics' | 'content' | 'query', call: CallFor): Promise<CallOptions>;
}

/** Creates a client of the auth service. */
export function createAuthClient(transport: Transport): Client<typeof AuthService> {
  return createClient(AuthService, withAppErrors(transport));
}

const sameReplicaFor = (teamId: string) => createContextValues().set(affinityKey, teamId);

/** Returns a function that opens a stream of the teams that change, on behalf of the gateway itself. */
export function openTeamChanges(
  { content }: Pick<Clients, 'content'>,
  serviceToken: ServiceToken,
): (signal: AbortSignal) => Promise<AsyncIterable<WatchHeadsResponse>> {
  return async (signal) => {
    const headers = { authorization: `Bearer ${await serviceToken('content')}` };
    return content.watchHeads({}, { signal, timeoutMs: streamTimeoutMs, headers });
  };
}

/** Creates a generated client for each service. */
export function createClients(
  transports: Transports,
  callers: { tokenFor(caller: Caller, audience: string): Promise<string> },
): Clients {
  const options =
    (timeoutMs: number) =>
    async (audience: string, call: CallFor): Promise<CallOptions> => ({
      timeoutMs,
      // Questions of a team go to the query replica with the team's warm index, while that replica is reachable.
      ...(audience === 'query' ? { contextValues: sameReplicaFor(call.caller.teamId) } : {}),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
      headers: {
        authorization: `Bearer ${await callers.tokenFor(call.caller, audience)}`,
        ...originHeaders(call),
      },
    });
  return {
    analytics: createClient(AnalyticsService, withAppErrors(transports.analytics)),
    auth: createAuthClient(transports.auth),
    content: createClient(ContentService, withAppErrors(transports.content)),
    ask: serverStream(withAppErrors(transports.query), QueryService.method.ask),
    search: createClient(QueryService, withAppErrors(transports.query)).search,
    unary: options(unaryTimeoutMs),
    stream: options(streamTimeoutMs),
  };
}

/**
 * Wraps a transport so that every failure arrives as an `AppError`: of a unary call, of opening a stream and of reading
 * it. No other place in the gateway translates RPC errors. An interceptor could not do this: Connect turns whatever an
 * interceptor throws back into a `ConnectError`. Whoever stops reading a stream aborts its signal.
 */
function withAppErrors(transport: Transport): Transport {
  return {
    unary: (...call) => transport.unary(...call).catch(throwAppError),
    async stream(...call) {
      const response = await transport.stream(...call).catch(throwAppError);
      return { ...response, message: readingAppErrors(response.message) };
    },
  };
}

/** Not a generator, which would take several more turns of the microtask queue for each message. */
function readingAppErrors<Message>(messages: AsyncIterable<Message>): AsyncIterable<Message> {
  return {
    [Symbol.asyncIterator]() {
      const reading = messages[Symbol.asyncIterator]();
      return { next: () => reading.next().catch(throwAppError) };
    },
  };
}

function throwAppError(thrown: unknown): never {
  throw appErrorFromRpc(thrown);
}
