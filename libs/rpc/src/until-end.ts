import { Code, ConnectError } from '@connectrpc/connect';

/**
 * Passes a stream's messages on and says once how it ended: with nothing, with
 * what was thrown, or as cancelled where its reader went away. What `ended`
 * answers is thrown in place of what was.
 */
export async function* untilEnd<Message>(
  messages: AsyncIterable<Message>,
  ended: (thrown?: unknown) => unknown,
): AsyncGenerator<Message> {
  let isOver = false;
  try {
    yield* messages;
    isOver = true;
    ended();
  } catch (thrown) {
    isOver = true;
    throw ended(thrown) ?? thrown;
  } finally {
    if (!isOver) ended(new ConnectError('the reader went away', Code.Canceled));
  }
}
