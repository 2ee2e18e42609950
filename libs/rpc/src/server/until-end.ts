import { Code, ConnectError } from '@connectrpc/connect';

/**
 * Passes a stream's messages on and says once how it ended: with nothing, with
 * what was thrown, or as cancelled where its reader went away. What `ended`
 * answers is thrown in place of what was. It is no generator, for that takes
 * several turns of the microtask queue for each message.
 */
export function untilEnd<Message>(
  messages: AsyncIterable<Message>,
  ended: (thrown?: unknown) => unknown,
): AsyncIterableIterator<Message, undefined> {
  const iterator = messages[Symbol.asyncIterator]();
  let isOver = false;
  /** The last message asked for: how the stream ends may depend on what becomes of it. */
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
