import { Code, ConnectError, type Interceptor, type Transport } from '@connectrpc/connect';
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { CallOptions } from '../call-options.ts';
import type { RecordClient } from './records.ts';
import { RpcError } from './rpc-error.ts';

/** These calls read or write a few rows. A call that takes longer has failed. */
const defaultTimeoutMs = 10_000;
/** Ten decisions with bodies of 1 MiB, doubled for JSON escapes. A page of 200 keys has about 40 KiB. */
const maxAnswerBytes = 24 * 1024 * 1024;

/**
 * How much the server may send before it hears that it was read. With the 64 KiB of HTTP/2 a busy server sends a backup
 * slower than its data changes, because each turn of its event loop sends only so much.
 */
const windowBytes = 16 * 1024 * 1024;

const ignored = () => undefined;

/** Raises the window of the whole connection, for which HTTP/2 has no setting. */
class WideSessionManager extends Http2SessionManager {
  override async request(...call: Parameters<Http2SessionManager['request']>) {
    const stream = await super.request(...call);
    const { session } = stream;
    session?.setLocalWindowSize(windowBytes);
    // Calls tell what is wrong with their connection. After the last one an error would have no listener, and end the process.
    if (!session?.listeners('error').includes(ignored)) session?.on('error', ignored);
    return stream;
  }
}

export interface RpcConnectionOptions {
  /** Address of the RPC listener, such as `http://127.0.0.1:7100`. It means h2c, or TLS for https. */
  rpcUrl: string;
  /** Deadline of each call; default 10,000. */
  timeoutMs?: number;
}

/** One connection to the RPC listener. */
export interface RpcConnection {
  transport: Transport;
  /** Closes the connection, which would otherwise keep the process running. */
  close(): void;
}

/** Makes a connection that opens with the first call. Throws TypeError for a bad address. */
export function createRpcConnection(
  { rpcUrl, timeoutMs }: RpcConnectionOptions,
  authorize: Interceptor,
): RpcConnection {
  const sessionManager = new WideSessionManager(rpcUrl, undefined, {
    settings: { initialWindowSize: windowBytes, enablePush: false },
  });
  const transport = createConnectTransport({
    baseUrl: rpcUrl,
    httpVersion: '2',
    sessionManager,
    // Compressing a few hundred bytes costs more than it saves.
    acceptCompression: [],
    defaultTimeoutMs: timeoutMs ?? defaultTimeoutMs,
    readMaxBytes: maxAnswerBytes,
    interceptors: [tellLostService, authorize],
  });
  return { transport, close: () => sessionManager.abort() };
}

/** A service that dies cancels its streams, but only the caller's own signal cancels a call. */
const tellLostService: Interceptor = (next) => async (request) => {
  const told = (thrown: unknown) => {
    const { code } = ConnectError.from(thrown);
    if (code !== Code.Canceled || request.signal.aborted) return thrown;
    return new ConnectError('The connection was lost.', Code.Unavailable, undefined, undefined, thrown);
  };
  try {
    const response = await next(request);
    if (!response.stream) return response;
    return { ...response, message: tellingErrors(response.message, told) };
  } catch (thrown) {
    throw told(thrown);
  }
};

async function* tellingErrors<Message>(messages: AsyncIterable<Message>, told: (thrown: unknown) => unknown) {
  try {
    yield* messages;
  } catch (thrown) {
    throw told(thrown);
  }
}

/** Returns a record that proto3 declares optional but our services always send. Throws RpcError if it is missing. */
export function given<Answer>(record: Answer | null): Answer {
  if (record === null) throw new RpcError('invalid_answer', 'The answer of the server is incomplete.');
  return record;
}

/** Yields the pages of a list to its end. Throws RpcError, also if the list does not advance. */
export async function* everyPage<Page extends { next_page_token: string }>(
  read: (pageToken: string) => Promise<Page>,
): AsyncGenerator<Page> {
  for (let pageToken = ''; ; ) {
    const page = await read(pageToken);
    yield page;
    if (page.next_page_token === '') return;
    if (page.next_page_token === pageToken)
      throw new RpcError('invalid_answer', 'The list does not advance.');
    pageToken = page.next_page_token;
  }
}

/** Returns the id of a team. Administrators name teams by slug, and only the auth service knows both. */
export async function teamIdOf(
  auth: RecordClient<typeof AuthService>,
  slug: string,
  options?: CallOptions,
): Promise<string> {
  return given((await auth.getTeam({ slug }, options)).team).team_id;
}
