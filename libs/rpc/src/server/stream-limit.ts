import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';

/**
 * Bounds how many streams of a method are open at once.
 * @throws ConnectError `resource_exhausted` into a stream that is one too many.
 */
export function limitStreams<Input, Output>(
  streamsMax: number,
  answer: (input: Input, context: HandlerContext) => AsyncIterable<Output>,
): (input: Input, context: HandlerContext) => AsyncGenerator<Output> {
  let open = 0;
  return async function* limited(input, context) {
    if (open >= streamsMax) throw new ConnectError('too many open streams', Code.ResourceExhausted);
    open += 1;
    try {
      yield* answer(input, context);
    } finally {
      open -= 1;
    }
  };
}
