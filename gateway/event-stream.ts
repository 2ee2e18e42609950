import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { createPermits, type PermitBounds, type Permits } from '@teammemory/admission/permits.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';

/** A comment this often keeps proxies from closing a quiet stream (docs/contract.md, "Questions"). */
const heartbeatMs = 15_000;
/** A reader that receives nothing for so long is disconnected. */
const drainTimeoutMs = 30_000;

/** Writes server-sent events to one reader. */
export interface EventStream {
  /**
   * Sends an event. If the reader's buffer is full, returns a promise that resolves
   * when it has room again, and rejects if the reader goes away or is too slow.
   */
  send(event: string, data: unknown): Promise<void> | undefined;
  end(): void;
}

/**
 * Starts an event stream on a hijacked response. The headers are sent at once. It is
 * written by hand for its backpressure: a reader that is too slow is disconnected.
 */
export function startEventStream(
  response: ServerResponse,
  headers: Readonly<Record<string, OutgoingHttpHeader | undefined>>,
): EventStream {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  let begun = false;
  // An event that follows at once is sent together with the headers: one packet instead of two.
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

/** Resolves when the response has room; rejects if it closes before, as it does for a reader that is too slow. */
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

/** Bounds and measures the open answers: requested, and not yet finished or cancelled. */
export function boundOpenAnswers(max: PermitBounds, metrics: Metrics): Permits['acquire'] {
  const permits = createPermits(max, 'Too many answers are being streamed; ask again.');
  metrics.gauge('teammemory_http_event_streams_open', permits.held);
  return permits.acquire;
}
