import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import {
  type CallOptions,
  Code,
  ConnectError,
  createContextValues,
  createServiceImplSpec,
  type HandlerContext,
  type Interceptor,
  type MethodImplSpec,
  type StreamRequest,
  type StreamResponse,
  type Transport,
  type UnaryRequest,
  type UnaryResponse,
} from '@connectrpc/connect';
import { createAsyncIterable } from '@connectrpc/connect/protocol';
import { AppError } from '@teammemory/errors/app-error.ts';
import { messagesUntilAborted, untilAborted } from '../call-end.ts';
import type { RpcService } from '../server/rpc-service.ts';
import { tracedTransport } from './traced-transport.ts';

/**
 * A transport between parts of one process. Typed messages reach the same
 * handlers through the same interceptors as over the network, but nothing is
 * serialised; a caller must not change a message after it was sent.
 *
 * Deadlines and cancellation work as over the network: the handler's signal
 * aborts when the caller's does or when `timeoutMs` has passed.
 */
export function createDirectTransport(service: RpcService, interceptors: Interceptor[]): Transport {
  const { methods } = createServiceImplSpec(service.descriptor, service.implementation);

  // Put together once: what stands before a handler is the same at every call.
  const unaryCalls = new Map<DescMethod, UnaryCall>();
  const streamCalls = new Map<DescMethod, StreamCall>();
  for (const specification of Object.values(methods)) {
    const { method } = specification;
    if (specification.kind === 'unary') unaryCalls.set(method, unaryCall(specification, interceptors));
    if (specification.kind === 'server_streaming')
      streamCalls.set(method, streamCall(specification, interceptors));
  }

  return tracedTransport({
    async unary(method, signal, timeoutMs, header, input) {
      const answer = unaryCalls.get(method);
      if (answer === undefined) throw notServed(method);
      const span = callSpan(signal, timeoutMs);
      const request = {
        ...callOf(method, header, span.signal),
        stream: false,
        message: create(method.input, input),
      } as UnaryRequest;
      try {
        return (await untilAborted(answer(request), span.signal)) as UnaryResponse<
          typeof method.input,
          typeof method.output
        >;
      } finally {
        span.end();
      }
    },
    async stream(method, signal, timeoutMs, header, input) {
      const answer = streamCalls.get(method);
      if (answer === undefined) throw notServed(method);
      const span = callSpan(signal, timeoutMs);
      const request = {
        ...callOf(method, header, span.signal),
        stream: true,
        message: normalized(method.input, input),
      } as StreamRequest;
      const answering = answer(request);
      try {
        const response = await untilAborted(answering, span.signal);
        const message = messagesUntilAborted(response.message, span);
        return { ...response, message } as StreamResponse as StreamResponse<
          typeof method.input,
          typeof method.output
        >;
      } catch (thrown) {
        span.end();
        leaveUnread(answering);
        throw thrown;
      }
    },
  });
}

/** Ends a stream that may be answered when nobody waits for it any more: else it would count as under way for ever. */
function leaveUnread(answering: Promise<StreamResponse>): void {
  answering
    .then(({ message }) => message[Symbol.asyncIterator]().return?.())
    // It failed: that was told, or nobody is left to be told.
    .catch(() => undefined);
}

/** What a request has whatever its messages are. */
function callOf(method: DescMethod, header: Parameters<Transport['unary']>[3], signal: AbortSignal) {
  return {
    service: method.parent,
    method,
    requestMethod: 'POST',
    url: `direct:///${method.parent.typeName}/${method.name}`,
    header: new Headers(header),
    contextValues: createContextValues(),
    signal,
  };
}

type UnaryCall = (request: UnaryRequest) => Promise<UnaryResponse>;
type StreamCall = (request: StreamRequest) => Promise<StreamResponse>;

/** A unary handler behind the interceptors. */
function unaryCall(
  { method, impl }: Extract<MethodImplSpec, { kind: 'unary' }>,
  interceptors: readonly Interceptor[],
): UnaryCall {
  return behind(interceptors, async (request: UnaryRequest): Promise<UnaryResponse> => {
    const context = contextOf(request);
    const message = create(method.output, await impl(request.message, context));
    return { ...responseOf(context), stream: false, method, message };
  });
}

/** A handler that answers one message with many, behind the interceptors. */
function streamCall(
  { method, impl }: Extract<MethodImplSpec, { kind: 'server_streaming' }>,
  interceptors: readonly Interceptor[],
): StreamCall {
  return behind(interceptors, async (request: StreamRequest): Promise<StreamResponse> => {
    const context = contextOf(request);
    const { value: input } = await request.message[Symbol.asyncIterator]().next();
    const message = whole(method.output, impl(input, context));
    return { ...responseOf(context), stream: true, method, message };
  });
}

/** A handler with the first interceptor of the list outermost, as in Connect itself. */
function behind<Call>(interceptors: readonly Interceptor[], handle: Call): Call {
  type AnyCall = ReturnType<Interceptor>;
  const call = interceptors.reduceRight<AnyCall>((next, interceptor) => interceptor(next), handle as AnyCall);
  return call as Call;
}

function contextOf(request: UnaryRequest | StreamRequest): HandlerContext {
  return {
    service: request.service,
    method: request.method,
    signal: request.signal,
    timeoutMs: () => undefined,
    requestMethod: request.requestMethod,
    requestHeader: request.header,
    responseHeader: new Headers(),
    responseTrailer: new Headers(),
    protocolName: 'direct',
    values: request.contextValues,
    url: request.url,
  };
}

function responseOf({ service, responseHeader: header, responseTrailer: trailer }: HandlerContext) {
  return { service, header, trailer };
}

/** The time a call may take: until its caller cancels it or its deadline passes. */
function callSpan(callerSignal: AbortSignal | undefined, timeoutMs: number | undefined) {
  const controller = new AbortController();
  const cancel = () => controller.abort(callerSignal?.reason);
  if (callerSignal?.aborted) cancel();
  callerSignal?.addEventListener('abort', cancel, { once: true });
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          controller.abort(new ConnectError('the operation timed out', Code.DeadlineExceeded));
        }, timeoutMs);
  const end = () => {
    clearTimeout(timer);
    callerSignal?.removeEventListener('abort', cancel);
  };
  return {
    signal: controller.signal,
    end,
    /** Ends it before its time. */
    abort(reason: unknown) {
      end();
      controller.abort(reason);
    },
  };
}

function notServed(method: DescMethod): AppError {
  return new AppError('internal', 'Something went wrong on our side.', {
    cause: new Error(`${method.parent.typeName}.${method.name} is not served here`),
  });
}

/** The messages of a handler, which may leave out fields, as messages. */
function whole<Output extends DescMessage>(
  descriptor: Output,
  messages: AsyncIterable<Parameters<typeof create<Output>>[1]>,
): AsyncIterableIterator<MessageShape<Output>, undefined> {
  const iterator = messages[Symbol.asyncIterator]();
  const made = (next: IteratorResult<Parameters<typeof create<Output>>[1]>) =>
    next.done === true
      ? ({ done: true, value: undefined } as const)
      : { done: false as const, value: create(descriptor, next.value) };
  return {
    next: () => iterator.next().then(made),
    async return() {
      await iterator.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* normalized<Input extends DescMessage>(
  descriptor: Input,
  messages: AsyncIterable<Parameters<typeof create<Input>>[1]>,
): AsyncGenerator<MessageShape<Input>> {
  for await (const message of messages) yield create(descriptor, message);
}

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
