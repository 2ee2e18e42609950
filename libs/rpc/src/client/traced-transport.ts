import type { DescMethod } from '@bufbuild/protobuf';
import type { Transport } from '@connectrpc/connect';
import { eachWithin, inSpan, isTracing, openSpan, traceparent, within } from '@teammemory/telemetry/span.ts';
import { appErrorFromRpc } from '../error-translation.ts';
import { untilEnd } from '../server/until-end.ts';

/**
 * Makes each call through a transport a span, and tells the called side of it
 * by the header `traceparent`. That of a stream ends with the stream. While
 * nothing is traced calls go through as they are.
 */
export function tracedTransport<Traced extends Transport>(transport: Traced): Traced {
  const traced: Transport = {
    unary(method, signal, timeoutMs, header, message, values) {
      if (!isTracing()) return transport.unary(method, signal, timeoutMs, header, message, values);
      return inSpan(nameOf(method), 'client', () =>
        transport.unary(method, signal, timeoutMs, withTrace(header), message, values),
      );
    },
    async stream(method, signal, timeoutMs, header, messages, values) {
      if (!isTracing()) return transport.stream(method, signal, timeoutMs, header, messages, values);
      const span = openSpan(nameOf(method), 'client');
      const end = (thrown?: unknown): void =>
        span.end({}, thrown === undefined ? undefined : appErrorFromRpc(thrown));
      try {
        const response = await within(span, () =>
          transport.stream(method, signal, timeoutMs, withTrace(header), messages, values),
        );
        return { ...response, message: untilEnd(eachWithin(span, response.message), end) };
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
