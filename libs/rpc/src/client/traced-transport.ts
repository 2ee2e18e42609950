import type { DescMethod } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import { eachWithin, inSpan, isTracing, openSpan, traceparent, within } from '@teammemory/telemetry/span.ts';
import { messagesUntilEnd } from '../call-end.ts';
import { appErrorFromRpc } from '../error-translation.ts';

/**
 * Makes each call through a transport a span and sends it in the header `traceparent`. The span of a
 * stream ends with the stream. Without tracing, which is known when a process starts, it is the transport itself.
 */
export function tracedTransport<Traced extends Transport>(transport: Traced): Traced {
  if (!isTracing()) return transport;
  const traced: Transport = {
    unary(method, signal, timeoutMs, header, message, values) {
      return inSpan(nameOf(method), 'client', () =>
        transport.unary(method, signal, timeoutMs, withTrace(header), message, values),
      );
    },
    async stream(method, signal, timeoutMs, header, messages, values) {
      const span = openSpan(nameOf(method), 'client');
      const end = (thrown?: unknown): void =>
        span.end({}, thrown === undefined ? undefined : appErrorFromRpc(thrown));
      try {
        const response = await within(span, () =>
          transport.stream(method, signal, timeoutMs, withTrace(header), messages, values),
        );
        return { ...response, message: messagesUntilEnd(eachWithin(span, response.message), end) };
      } catch (thrown) {
        end(thrown);
        throw thrown;
      }
    },
  };
  return { ...transport, ...traced };
}

function nameOf(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`;
}

function withTrace(header: Parameters<Transport['unary']>[3]): Headers {
  const headers = new Headers(header);
  const parent = traceparent();
  if (parent !== undefined) headers.set('traceparent', parent);
  return headers;
}
