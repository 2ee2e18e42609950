import { setTimeout as delay } from 'node:timers/promises';
import { createRegistry, type DescFile, type DescService, type Registry, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import { within } from '@teammemory/async/bounded-wait.ts';
import { file_teammemory_common_v1_error } from '@teammemory/proto/common/v1/error_pb.ts';
import {
  Health,
  type HealthCheckRequest,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@teammemory/proto/grpc/health/v1/health_pb.ts';
import {
  ServerReflection,
  type ServerReflectionRequest,
} from '@teammemory/proto/grpc/reflection/v1/reflection_pb.ts';
import {
  ServerReflection as ServerReflectionAlpha,
  type ServerReflectionRequest as ServerReflectionRequestAlpha,
} from '@teammemory/proto/grpc/reflection/v1alpha/reflection_pb.ts';
import { endWithSignal, messagesUntilAborted } from '../call-end.ts';
import type { AddService } from './request-listener.ts';
import { type RpcService, rpcService } from './rpc-service.ts';

/** A question is the name of a service or a symbol. */
const maxQuestionBytes = 16 * 1024;

/**
 * Adds the services that every listener offers without a token: health checks, and reflection of the
 * services that are reached through it.
 */
export function addOpenServices(
  add: AddService,
  options: HealthOptions & { descriptors: readonly DescService[] },
): void {
  const health = createHealthService(options);
  for (const { descriptor, implementation } of [
    health,
    ...createReflectionServices([...options.descriptors, health.descriptor]),
  ]) {
    add(descriptor, implementation, {
      interceptors: [endWithSignal],
      readMaxBytes: maxQuestionBytes,
    });
  }
}

/** A result is reused for so long, so that many checks cost no more than one. */
const answerKeptMs = 1_000;
/** A check that takes longer has failed. */
const checkTimeoutMs = 2_000;
/** Open streams of Watch; load balancers and probes are few. */
const maxWatchers = 100;

export interface HealthOptions {
  /** The readiness check of each service, by its full name; the empty name is the whole server. */
  checks: ReadonlyMap<string, () => Promise<unknown>>;
  /** Aborts when the server begins to close: nothing is ready from then on. */
  closing: AbortSignal;
}

/** Makes `grpc.health.v1.Health`. Watch ends as `unavailable` when the server closes. */
function createHealthService({ checks, closing }: HealthOptions): RpcService {
  const kept = new Map([...checks].map(([service, check]) => [service, keptForAWhile(check)]));

  async function statusOf(service: string): Promise<ServingStatus> {
    const isReady = kept.get(service);
    if (isReady === undefined) return ServingStatus.SERVICE_UNKNOWN;
    if (closing.aborted || !(await isReady())) return ServingStatus.NOT_SERVING;
    return ServingStatus.SERVING;
  }

  async function* watch({ service }: HealthCheckRequest, { signal }: HandlerContext) {
    let last: ServingStatus | undefined;
    while (!signal.aborted) {
      const status = await statusOf(service);
      if (status !== last) yield { status };
      last = status;
      if (closing.aborted) throw new ConnectError('the server is going away', Code.Unavailable);
      await delay(answerKeptMs, undefined, { signal: AbortSignal.any([signal, closing]) }).catch(
        () => undefined,
      );
    }
  }

  const implementation: ServiceImpl<typeof Health> = {
    async check({ service }) {
      const status = await statusOf(service);
      if (status === ServingStatus.SERVICE_UNKNOWN) {
        throw new ConnectError('this service is not served here', Code.NotFound);
      }
      return { status };
    },
    watch: limitStreams(maxWatchers, watch),
  };
  return rpcService(Health, implementation);
}

/** Runs `check` at most once at a time and once in `answerKeptMs`. */
function keptForAWhile(check: () => Promise<unknown>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  return () => {
    answer ??= passes(check).finally(() => {
      setTimeout(() => {
        answer = undefined;
      }, answerKeptMs).unref();
    });
    return answer;
  };
}

async function passes(check: () => Promise<unknown>): Promise<boolean> {
  const checked = check().then(
    () => true,
    () => false,
  );
  return (await within(checked, checkTimeoutMs)) ?? false;
}

/** Streams open at once; they are for people with tools. */
const maxStreams = 100;
/** A tool asks all it needs at the start; a stream that stays open longer is forgotten. */
const maxStreamMs = 60_000;

/** Makes `grpc.reflection.v1.ServerReflection` and its predecessor `v1alpha` for these services. */
function createReflectionServices(services: readonly DescService[]): RpcService[] {
  const answerOf = createAnswers([...services, ServerReflection, ServerReflectionAlpha]);
  return [
    rpcService(ServerReflection, { serverReflectionInfo: createStream<ServerReflectionRequest>(answerOf) }),
    rpcService(ServerReflectionAlpha, {
      serverReflectionInfo: createStream<ServerReflectionRequestAlpha>(answerOf),
    }),
  ];
}

/** The two have the same fields in different packages. */
type AnyRequest = ServerReflectionRequest | ServerReflectionRequestAlpha;

function createStream<Request extends AnyRequest>(answerOf: ReturnType<typeof createAnswers>) {
  return limitStreams(
    maxStreams,
    async function* (requests: AsyncIterable<Request>, context: HandlerContext) {
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(maxStreamMs)]);
      for await (const request of messagesUntilAborted(requests, { signal })) {
        const messageResponse = answerOf(request.messageRequest);
        yield { validHost: request.host, originalRequest: request, messageResponse };
      }
    },
  );
}

type Answer =
  | { case: 'listServicesResponse'; value: { service: { name: string }[] } }
  | { case: 'fileDescriptorResponse'; value: { fileDescriptorProto: Uint8Array[] } }
  | { case: 'errorResponse'; value: { errorCode: Code; errorMessage: string } };

function createAnswers(services: readonly DescService[]) {
  const files = new Map<string, DescFile>();
  // Errors carry ErrorDetail as an Any, which no method names.
  for (const file of [...services.map((service) => service.file), file_teammemory_common_v1_error]) {
    addWithDependencies(file, files);
  }
  const registry = createRegistry(...files.values());

  return (question: AnyRequest['messageRequest']): Answer => {
    switch (question.case) {
      case 'listServices':
        return {
          case: 'listServicesResponse',
          value: { service: services.map(({ typeName: name }) => ({ name })) },
        };
      case 'fileByFilename':
        return fileAnswer(files.get(question.value.replace(/\.proto$/, '')));
      case 'fileContainingSymbol':
        return fileAnswer(fileOf(question.value, registry));
      default:
        return refusal(Code.Unimplemented, 'our messages have no extensions');
    }
  };
}

/** Encoding them takes longer than all else that an answer costs. */
const encoded = new WeakMap<DescFile['proto'], Uint8Array>();

function fileAnswer(file: DescFile | undefined): Answer {
  if (file === undefined) return refusal(Code.NotFound, 'no such file or symbol');
  const needed = new Map<string, DescFile>();
  addWithDependencies(file, needed);
  const fileDescriptorProto = [...needed.values()].map(({ proto }) =>
    encoded.getOrInsertComputed(proto, () => toBinary(FileDescriptorProtoSchema, proto)),
  );
  return { case: 'fileDescriptorResponse', value: { fileDescriptorProto } };
}

function refusal(errorCode: Code, errorMessage: string): Answer {
  return { case: 'errorResponse', value: { errorCode, errorMessage } };
}

/** Adds a file, and what it imports after it, by name (without `.proto`, as protobuf-es names them). */
function addWithDependencies(file: DescFile, files: Map<string, DescFile>): void {
  if (files.has(file.name)) return;
  files.set(file.name, file);
  for (const dependency of file.dependencies) addWithDependencies(dependency, files);
}

/** The file of a type, or of a method or field that a type has. */
function fileOf(symbol: string, registry: Registry): DescFile | undefined {
  const end = symbol.lastIndexOf('.');
  return registry.get(symbol)?.file ?? (end < 0 ? undefined : registry.get(symbol.slice(0, end))?.file);
}

/**
 * Bounds how many streams of a method are open at once.
 * @throws ConnectError `resource_exhausted` into a stream that is one too many.
 */
function limitStreams<Input, Output>(
  maxStreams: number,
  answer: (input: Input, context: HandlerContext) => AsyncIterable<Output>,
): (input: Input, context: HandlerContext) => AsyncGenerator<Output> {
  let open = 0;
  return async function* limited(input, context) {
    if (open >= maxStreams) throw new ConnectError('too many open streams', Code.ResourceExhausted);
    open += 1;
    try {
      yield* answer(input, context);
    } finally {
      open -= 1;
    }
  };
}
