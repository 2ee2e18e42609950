/** A request that a fake fetch was asked for. */
export interface SeenRequest {
  method: string;
  /** Path and query. */
  path: string;
  body: unknown;
  signal: AbortSignal;
}

/** A body that a test writes piece by piece, as a service streams it. */
export interface OpenBody {
  stream: ReadableStream<Uint8Array>;
  write(text: string): void;
  /** Ends the body as a server that closes the stream. */
  end(): void;
  /** Breaks the body, as an aborted request does. */
  fail(reason: unknown): void;
  /** Resolves when the client has let go of the body. */
  cancelled: Promise<void>;
}

export function openBody(): OpenBody {
  const encoder = new TextEncoder();
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => resolve(),
  });
  return {
    stream,
    write: (text) => controller?.enqueue(encoder.encode(text)),
    end: () => controller?.close(),
    fail: (reason) => {
      controller?.error(reason);
      resolve();
    },
    cancelled,
  };
}

export function eventStream(body: OpenBody, signal: AbortSignal): Response {
  signal.addEventListener('abort', () => body.fail(signal.reason), { once: true });
  return new Response(body.stream, { headers: { 'content-type': 'text/event-stream' } });
}

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(status === 204 ? null : JSON.stringify(body), { status, headers });
}

/** Returns a `fetch` that answers with `answer` and rejects, as a real one, when its signal aborts. */
export function fakeFetch(answer: (request: SeenRequest) => Response | Promise<Response>): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    const signal = init.signal ?? new AbortController().signal;
    signal.throwIfAborted();
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const request = { method: init.method ?? 'GET', path: `${pathname}${search}`, body, signal };
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    aborted.catch(() => undefined); // also where the answer came first
    return Promise.race([answer(request), aborted]);
  };
}
