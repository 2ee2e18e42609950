import { Code, ConnectError, type Interceptor, type StreamResponse } from '@connectrpc/connect';

/** The reason with which a call's signal aborts when the call is over. Made once: an abort without a reason takes a stack trace. */
const callIsOver = new Error('the call is over');

/**
 * Waits for `work` until the signal aborts, whether the work heeds the signal or not.
 * @throws what `work` throws, or the signal's reason as a ConnectError.
 */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(ConnectError.from(signal.reason, Code.Canceled));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    // Before the caller continues and aborts the signal to end the call, which concerns nobody here.
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Passes a stream's messages on until the signal aborts. Calls `context.abort` when the stream ends, for
 * whatever reason. Not a generator: that takes several microtask turns for each message.
 */
export function messagesUntilAborted<Message>(
  messages: AsyncIterable<Message>,
  context: { signal: AbortSignal; abort?(reason?: unknown): void },
): AsyncIterableIterator<Message, undefined> {
  const { signal } = context;
  const iterator = messages[Symbol.asyncIterator]();
  let isOver = false;
  let cut: ConnectError | undefined;
  let endWait: (reason: ConnectError) => void = () => undefined;
  const abort = () => {
    cut = ConnectError.from(signal.reason, Code.Canceled);
    finish();
    endWait(cut);
  };

  function finish(): void {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener('abort', abort);
    context.abort?.(callIsOver);
    // Not awaited: a busy generator returns only when it has finished its step.
    iterator.return?.()?.catch(() => undefined);
  }

  // One listener for all messages: one for each would cost more than the message.
  signal.addEventListener('abort', abort, { once: true });
  return {
    next() {
      if (signal.aborted && !isOver) abort();
      if (cut !== undefined) return Promise.reject(cut);
      if (isOver) return Promise.resolve({ done: true, value: undefined });
      return new Promise((resolve, reject) => {
        endWait = reject;
        iterator.next().then(
          (next) => {
            if (next.done === true) finish();
            resolve(next as IteratorResult<Message, undefined>);
          },
          (thrown: unknown) => {
            finish();
            reject(thrown);
          },
        );
      });
    },
    async return() {
      finish();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * Passes a stream's messages on and calls `ended` once: with nothing, with what was thrown, or with a
 * cancellation if the reader left. If `ended` returns an error, that is thrown instead. Not a
 * generator: that takes several microtask turns for each message.
 */
export function messagesUntilEnd<Message>(
  messages: AsyncIterable<Message>,
  ended: (thrown?: unknown) => unknown,
): AsyncIterableIterator<Message, undefined> {
  const iterator = messages[Symbol.asyncIterator]();
  let isOver = false;
  /** The last message requested: how the stream ends may depend on it. */
  let latest: Promise<IteratorResult<Message, undefined>> | undefined;

  function pass(next: IteratorResult<Message>): IteratorResult<Message, undefined> {
    if (next.done !== true) return next;
    isOver = true;
    ended();
    return { done: true, value: undefined };
  }

  function fail(thrown: unknown): never {
    isOver = true;
    throw ended(thrown) ?? thrown;
  }

  return {
    next() {
      if (isOver) return Promise.resolve({ done: true, value: undefined });
      latest = iterator.next().then(pass, fail);
      return latest;
    },
    async return() {
      await latest?.catch(() => undefined);
      if (!isOver) {
        isOver = true;
        ended(new ConnectError('the reader went away', Code.Canceled));
        await iterator.return?.();
      }
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * Ends a call when its signal aborts, whether its handler heeds the signal or not: at the deadline, when
 * the caller leaves, and when the server stops.
 */
export const endWithSignal: Interceptor = (next) => async (request) => {
  const response = await untilAborted(next(request), request.signal);
  if (!response.stream) return response;
  return { ...response, message: messagesUntilAborted(response.message, request) } as StreamResponse;
};
