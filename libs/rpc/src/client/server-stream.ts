import type {
  DescMessage,
  DescMethodServerStreaming,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import type { CallOptions, Transport } from '@connectrpc/connect';
import { createAsyncIterable } from '@connectrpc/connect/protocol';

/** Calls one method that answers with many messages. @throws ConnectError, as reading the messages does. */
export type ServerStream<Input extends DescMessage, Output extends DescMessage> = (
  input: MessageInitShape<Input>,
  options: CallOptions,
) => Promise<AsyncIterable<MessageShape<Output>>>;

/**
 * Makes the call of one such method. Connect's own client would pass each
 * message through two generators more, which takes longer than all that the
 * transport within one process does with it.
 */
export function serverStream<Input extends DescMessage, Output extends DescMessage>(
  transport: Transport,
  method: DescMethodServerStreaming<Input, Output>,
): ServerStream<Input, Output> {
  return async (input, { signal, timeoutMs, headers, contextValues }) => {
    const messages = createAsyncIterable([input]);
    const { message } = await transport.stream(method, signal, timeoutMs, headers, messages, contextValues);
    return message;
  };
}
