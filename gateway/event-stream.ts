import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** A comment this often keeps proxies from closing a quiet stream (decisions §7). */
const heartbeatMs = 15_000;
/** A reader that takes nothing for so long is dropped. */
const drainTimeoutMs = 30_000;

/** Writes server-sent events to one reader. */
export interface EventStream {
  /** Sends an event and waits until the reader has room for more. */
  send(event: string, data: unknown): Promise<void>;
  end(): void;
}

/**
 * Starts an event stream on a response that Fastify has let go of. Headers
 * leave at once. `send` throws when the reader went away or is too slow.
 */
export function startEventStream(response: ServerResponse, headers: Record<string, string>): EventStream {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': keep-alive\n\n');
  }, heartbeatMs);
  response.once('close', () => clearInterval(heartbeat));

  return {
    async send(event, data) {
      if (response.destroyed) throw new Error('the reader went away');
      if (response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) return;
      await drainOrClose(response);
    },
    end() {
      clearInterval(heartbeat);
      response.end();
    },
  };
}

async function drainOrClose(response: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(drainTimeoutMs)]);
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  } catch (cause) {
    response.destroy();
    throw new Error('the reader is too slow', { cause });
  } finally {
    settled.abort();
  }
}
