import { createServer, type Http2Server, type Http2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Interceptor } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import type { RequestGate } from './request-gate.ts';
import type { RpcService } from './rpc-service.ts';

/** Room for a page of 200 items of 1 MiB; a larger message is refused before it is read. */
const messageMaxBytes = 256 * 1024 * 1024;
/** What a caller may ask for at most; a question with a model is the longest call. */
const maxTimeoutMs = 120_000;
/** The whole connection's window; Node's option of the similar name raises that of a stream only. */
const connectionWindowBytes = 16 * 1024 * 1024;
/** Calls that one connection may have under way; a gateway opens more connections for more. */
const maxConcurrentStreams = 1_000;
/** Streams a client may reset at once and per second: a gateway that loses many readers resets many. */
const streamResets = { burst: 100_000, perSecond: 10_000 };
/** How long calls may go on after `close`; then their connections are cut. */
const drainTimeoutMs = 10_000;

/** A service and what stands before its handlers. */
export interface ServedService {
  service: RpcService;
  interceptors: Interceptor[];
  requestGate: RequestGate;
}

export interface RpcServer {
  /** The port that was bound. */
  port: number;
  /** Takes no new calls, lets those under way finish within a bound, then closes. */
  close(): Promise<void>;
}

/**
 * Serves RPCs on HTTP/2 without TLS to Connect, gRPC and gRPC-Web callers.
 * Compression is off: between our own parts it costs more than it saves.
 *
 * @throws the listener's error (EADDRINUSE, EACCES) as it is.
 */
export async function startRpcServer(options: {
  host: string;
  port: number;
  services: readonly ServedService[];
}): Promise<RpcServer> {
  const shutdown = new AbortController();
  const handler = connectNodeAdapter({
    routes: (router) => {
      for (const { service, interceptors, requestGate } of options.services) {
        router.service(service.descriptor, service.implementation, { interceptors, requestGate });
      }
    },
    acceptCompression: [],
    readMaxBytes: messageMaxBytes,
    writeMaxBytes: messageMaxBytes,
    // Kept, a hostile message of them alone takes twenty times its size in memory; no handler looks at them.
    binaryOptions: { readUnknownFields: false },
    maxTimeoutMs,
    shutdownSignal: shutdown.signal,
  });
  const server = createServer(
    {
      settings: { initialWindowSize: connectionWindowBytes, maxConcurrentStreams },
      streamResetBurst: streamResets.burst,
      streamResetRate: streamResets.perSecond,
    },
    handler,
  );
  const sessions = new Set<Http2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.setLocalWindowSize(connectionWindowBytes);
    session.on('close', () => sessions.delete(session));
    session.on('error', () => session.destroy());
  });
  await listen(server, options);
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const cut = setTimeout(() => {
        shutdown.abort();
        for (const session of sessions) session.destroy();
      }, drainTimeoutMs);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.close();
      });
      clearTimeout(cut);
    },
  };
}

function listen(server: Http2Server, options: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
}
