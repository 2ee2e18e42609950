import { create, type DescMessage, type DescMethod, type MessageShape } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createContextValues,
  createHandlerContext,
  createServiceImplSpec,
  type HandlerContext,
  type Interceptor,
  type MethodImplSpec,
  type StreamResponse,
  type Transport,
  type UnaryRequest,
  type UnaryResponse,
} from '@connectrpc/connect';
import { transformInvokeImplementation } from '@connectrpc/connect/protocol';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { RpcService } from './rpc-service.ts';
import { tracedTransport } from './traced-transport.ts';
import { orAborted, untilAborted } from './until-aborted.ts';

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
  const unaryCalls = new Map<string, (request: UnaryRequest) => Promise<UnaryResponse>>();
  for (const specification of Object.values(methods)) {
    if (specification.kind === 'unary') {
      unaryCalls.set(specification.method.localName, unaryCall(specification, interceptors));
    }
  }

  function implementationOf(method: DescMethod): MethodImplSpec {
    const found = methods[method.localName];
    if (found === undefined || method.parent.typeName !== service.descriptor.typeName)
      throw notServed(method);
    return found;
  }

  function contextOf(
    method: DescMethod,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
    header: Parameters<Transport['unary']>[3],
  ) {
    return createHandlerContext({
      service: service.descriptor,
      method,
      protocolName: 'direct',
      requestMethod: 'POST',
      url: urlOf(method),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(signal === undefined ? {} : { requestSignal: signal }),
      ...(header === undefined ? {} : { requestHeader: header }),
      contextValues: createContextValues(),
    });
  }

  return tracedTransport({
    async unary(method, signal, timeoutMs, header, input) {
      const answer = unaryCalls.get(method.localName);
      if (answer === undefined) throw notServed(method);
      const span = callSpan(signal, timeoutMs);
      const request = {
        stream: false,
        service: method.parent,
        method,
        requestMethod: 'POST',
        url: urlOf(method),
        header: new Headers(header),
        contextValues: createContextValues(),
        signal: span.signal,
        message: create(method.input, input),
      } as UnaryRequest;
      try {
        return (await orAborted(answer(request), span.signal)) as UnaryResponse<
          typeof method.input,
          typeof method.output
        >;
      } finally {
        span.end();
      }
    },
    async stream(method, signal, timeoutMs, header, input) {
      const context = contextOf(method, signal, timeoutMs, header);
      const answer = transformInvokeImplementation(implementationOf(method), context, interceptors);
      const messages = answer(normalized(method.input, input)) as AsyncIterable<
        MessageShape<typeof method.output>
      >;
      return {
        stream: true,
        service: method.parent,
        method,
        header: context.responseHeader,
        message: untilAborted(messages, context),
        trailer: context.responseTrailer,
      } as StreamResponse<typeof method.input, typeof method.output>;
    },
  });
}

/** A unary handler behind the interceptors, the first of the list outermost, as in Connect itself. */
function unaryCall(
  { method, impl }: Extract<MethodImplSpec, { kind: 'unary' }>,
  interceptors: readonly Interceptor[],
): (request: UnaryRequest) => Promise<UnaryResponse> {
  type Call = ReturnType<Interceptor>;
  const handle = async (request: UnaryRequest): Promise<UnaryResponse> => {
    const [header, trailer] = [new Headers(), new Headers()];
    const context: HandlerContext = {
      service: request.service,
      method,
      signal: request.signal,
      timeoutMs: () => undefined,
      requestMethod: request.requestMethod,
      requestHeader: request.header,
      responseHeader: header,
      responseTrailer: trailer,
      protocolName: 'direct',
      values: request.contextValues,
      url: request.url,
    };
    const message = create(method.output, await impl(request.message, context));
    return { stream: false, service: request.service, method, header, trailer, message };
  };
  return interceptors.reduceRight<Call>((next, interceptor) => interceptor(next), handle as Call) as (
    request: UnaryRequest,
  ) => Promise<UnaryResponse>;
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
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      callerSignal?.removeEventListener('abort', cancel);
    },
  };
}

function urlOf(method: DescMethod): string {
  return `direct:///${method.parent.typeName}/${method.name}`;
}

function notServed(method: DescMethod): AppError {
  return new AppError('internal', 'Something went wrong on our side.', {
    cause: new Error(`${method.parent.typeName}.${method.name} is not served here`),
  });
}

async function* normalized<Input extends DescMessage>(
  descriptor: Input,
  messages: AsyncIterable<Parameters<typeof create<Input>>[1]>,
): AsyncGenerator<MessageShape<Input>> {
  for await (const message of messages) yield create(descriptor, message);
}
