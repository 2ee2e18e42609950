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

/** The same for the messages of a stream; `context.abort` is called when they are over, however they end. */
export async function* untilAborted<Message>(
  messages: AsyncIterable<Message>,
  context: { signal: AbortSignal; abort?(reason?: unknown): void },
): AsyncGenerator<Message> {
  const { signal } = context;
  const iterator = messages[Symbol.asyncIterator]();
  let endWait: (reason: ConnectError) => void = () => undefined;
  const abort = () => endWait(ConnectError.from(signal.reason, Code.Canceled));
  // One listener for all messages: with many streams, one for each would cost more than the message.
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<Message>>((resolve, reject) => {
        endWait = reject;
        if (signal.aborted) abort();
        iterator.next().then(resolve, reject);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    context.abort?.(callIsOver);
    // Not awaited: a generator that is busy would answer only when it is done.
    iterator.return?.()?.catch(() => undefined);
  }
}
