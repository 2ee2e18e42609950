import type { ServerResponse } from 'node:http';
import {
  type AcquirePermit,
  type ConcurrencyBounds,
  createConcurrencyLimit,
} from '@teammemory/async/concurrency-limit.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';

/** A comment this often keeps proxies from closing a quiet stream (decisions §7). */
const heartbeatMs = 15_000;
/** A reader that takes nothing for so long is dropped. */
const drainTimeoutMs = 30_000;

/** Writes server-sent events to one reader. */
export interface EventStream {
  /**
   * Sends an event. Where the reader has no room for more it answers a promise
   * that resolves when there is; it rejects when the reader went away or is too slow.
   */
  send(event: string, data: unknown): Promise<void> | undefined;
  end(): void;
}

/**
 * Starts an event stream on a response that Fastify has let go of. Headers
 * leave at once.
 */
export function startEventStream(response: ServerResponse, headers: Record<string, string>): EventStream {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  let begun = false;
  // An event that follows at once takes them along: one packet in place of two.
  setImmediate(() => {
    if (!begun) response.flushHeaders();
  });
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': keep-alive\n\n');
  }, heartbeatMs);
  response.once('close', () => clearInterval(heartbeat));

  return {
    send(event, data) {
      begun = true;
      if (response.destroyed) return Promise.reject(new Error('the reader went away'));
      const hasRoom = response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      return hasRoom ? undefined : roomFor(response);
    },
    end() {
      clearInterval(heartbeat);
      response.end();
    },
  };
}

/** Rejects when the response closes before it has room, as it does when its reader takes nothing for too long. */
function roomFor(response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const tooSlow = setTimeout(() => response.destroy(), drainTimeoutMs);
    const drained = () => {
      clearTimeout(tooSlow);
      response.off('close', closed);
      resolve();
    };
    const closed = () => {
      clearTimeout(tooSlow);
      response.off('drain', drained);
      reject(new Error('the reader went away or took nothing'));
    };
    response.once('drain', drained).once('close', closed);
  });
}

/** Bounds and measures how many answers are open: asked for, and not yet ended or given up. */
export function boundOpenAnswers(max: ConcurrencyBounds, metrics: Metrics): AcquirePermit {
  const { acquire, inUse } = createConcurrencyLimit(
    max,
    'Too many answers are being given at once; ask again.',
  );
  metrics.gauge('http_event_streams_open', 'Answers that are being streamed, or about to be.', inUse);
  return acquire;
}
