import { Code, ConnectError } from '@connectrpc/connect';

/** Why a call's signal aborts when the call is over; made once, for an abort without a reason takes a stack trace. */
const callIsOver = new Error('the call is over');

/**
 * Waits for work that may not look at its signal: its caller must not be held up past the abort.
 * @throws what `work` throws, or the signal's reason as a ConnectError.
 */
export async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(ConnectError.from(signal.reason, Code.Canceled));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    // Before the caller goes on and ends the call by aborting it: nobody has to be told of that.
    signal.removeEventListener('abort', abort);
  }
}

/**
 * The same for the messages of a stream; `context.abort` is called when they
 * are over, however they end. It is no generator, for that takes several turns
 * of the microtask queue for each message.
 */
export function untilAborted<Message>(
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
    // Not awaited: a generator that is busy would answer only when it is done.
    iterator.return?.()?.catch(() => undefined);
  }

  // One listener for all messages: with many streams, one for each would cost more than the message.
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
