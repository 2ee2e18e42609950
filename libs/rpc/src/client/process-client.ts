import type { ClientHttp2Stream } from 'node:http2';
import type { UniversalClientFn } from '@connectrpc/connect/protocol';
import { createNodeHttpClient } from '@connectrpc/connect-node';
import { connectErrorOfNetwork, networkFailureOf } from './network-failure.ts';
import type { Lane, RemoteProcess } from './remote-process.ts';

/**
 * An HTTP client for Connect that sends everything to one process. Whatever
 * fails below HTTP becomes an `unavailable` error with a NetworkFailure as its
 * cause, but for calls that their own caller or deadline ended.
 */
export function createProcessClient(process: RemoteProcess, lane: Lane): UniversalClientFn {
  return async (call) => {
    let stream: ClientHttp2Stream | undefined;
    const translated = (thrown: unknown) =>
      call.signal?.aborted ? thrown : connectErrorOfNetwork(networkFailureOf(thrown, stream));
    // Made for each call: only so is its stream known, which tells whether a handler can have seen the call.
    const send = createNodeHttpClient({
      httpVersion: '2',
      sessionProvider: () => ({
        authority: process.origin,
        async request(method, path, headers, options) {
          stream = await process.request(lane, { ...headers, ':method': method, ':path': path }, options);
          return stream;
        },
        notifyResponseByteRead: () => undefined,
      }),
    });
    try {
      const response = await send(call);
      return { ...response, body: translateErrors(response.body, translated) };
    } catch (thrown) {
      throw translated(thrown);
    }
  };
}

async function* translateErrors<Chunk>(
  chunks: AsyncIterable<Chunk>,
  translated: (thrown: unknown) => unknown,
): AsyncGenerator<Chunk> {
  try {
    yield* chunks;
  } catch (thrown) {
    throw translated(thrown);
  }
}
