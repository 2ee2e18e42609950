import type { Interceptor, Transport } from '@connectrpc/connect';
import { createConnectTransport, Http2SessionManager } from '@connectrpc/connect-node';

/** Calls of people touch a few rows; what takes longer has failed. */
const defaultTimeoutMs = 10_000;
/** Ten decisions with bodies of 1 MiB, twice over for what JSON escapes; a page of 200 keys has some 40 KiB. */
const maxAnswerBytes = 24 * 1024 * 1024;

export interface RpcConnectionOptions {
  /** Address of the RPC listener, such as `http://127.0.0.1:7100`: h2c, or TLS for https. */
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

/** Connects over Connect on HTTP/2 when the first call is made. Throws TypeError for a bad address. */
export function createRpcConnection(
  { rpcUrl, timeoutMs }: RpcConnectionOptions,
  authorize: Interceptor,
): RpcConnection {
  const sessionManager = new Http2SessionManager(rpcUrl);
  const transport = createConnectTransport({
    baseUrl: rpcUrl,
    httpVersion: '2',
    sessionManager,
    // Compressing a few hundred bytes costs more than it saves.
    acceptCompression: [],
    defaultTimeoutMs: timeoutMs ?? defaultTimeoutMs,
    readMaxBytes: maxAnswerBytes,
    interceptors: [authorize],
  });
  return { transport, close: () => sessionManager.abort() };
}
