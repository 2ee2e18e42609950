import { type DescFile, type DescService, toBinary } from '@bufbuild/protobuf';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { Code, type HandlerContext } from '@connectrpc/connect';
import {
  ServerReflection,
  type ServerReflectionRequest,
} from '@teammemory/proto/grpc/reflection/v1/reflection_pb.ts';
import {
  ServerReflection as ServerReflectionAlpha,
  type ServerReflectionRequest as ServerReflectionRequestAlpha,
} from '@teammemory/proto/grpc/reflection/v1alpha/reflection_pb.ts';
import { type RpcService, rpcService } from './rpc-service.ts';
import { limitStreams } from './stream-limit.ts';
import { untilAborted } from './until-aborted.ts';

/** Streams open at once; they are for people with tools. */
const streamsMax = 100;
/** A tool asks all it needs at the start; a stream that stays open longer is forgotten. */
const streamMaxMs = 60_000;

/** Makes `grpc.reflection.v1.ServerReflection` and its predecessor `v1alpha` for these services. */
export function createReflectionServices(services: readonly DescService[]): RpcService[] {
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
    streamsMax,
    async function* (requests: AsyncIterable<Request>, context: HandlerContext) {
      const carried = new Set<DescFile>();
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(streamMaxMs)]);
      for await (const request of untilAborted(requests, { signal })) {
        const messageResponse = answerOf(request.messageRequest, carried);
        yield { validHost: request.host, originalRequest: request, messageResponse };
      }
    },
  );
}

type Answer =
  | { case: 'listServicesResponse'; value: { service: { name: string }[] } }
  | { case: 'fileDescriptorResponse'; value: { fileDescriptorProto: Uint8Array[] } }
  | { case: 'allExtensionNumbersResponse'; value: { baseTypeName: string; extensionNumber: number[] } }
  | { case: 'errorResponse'; value: { errorCode: Code; errorMessage: string } };

function createAnswers(services: readonly DescService[]) {
  const files = new Map<string, DescFile>();
  for (const { file } of services) addWithDependencies(file, files);
  const symbols = new Map([...files.values()].flatMap((file) => symbolsOf(file)));

  /** `carried` are the files that the stream has had; it grows by those of the answer. */
  return (question: AnyRequest['messageRequest'], carried: Set<DescFile>): Answer => {
    switch (question.case) {
      case 'listServices':
        return {
          case: 'listServicesResponse',
          value: { service: services.map(({ typeName: name }) => ({ name })) },
        };
      case 'fileByFilename':
        return fileAnswer(files.get(question.value.replace(/\.proto$/, '')), carried);
      case 'fileContainingSymbol':
        return fileAnswer(symbols.get(question.value), carried);
      case 'allExtensionNumbersOfType':
        if (!symbols.has(question.value)) return refusal(Code.NotFound, 'no such message');
        return {
          case: 'allExtensionNumbersResponse',
          value: { baseTypeName: question.value, extensionNumber: [] },
        };
      case 'fileContainingExtension':
        return refusal(Code.NotFound, 'no such extension');
      default:
        return refusal(Code.InvalidArgument, 'nothing is asked');
    }
  };
}

function fileAnswer(file: DescFile | undefined, carried: Set<DescFile>): Answer {
  if (file === undefined) return refusal(Code.NotFound, 'no such file or symbol');
  const needed = new Map<string, DescFile>();
  addWithDependencies(file, needed);
  const answered = [...needed.values()].filter((one) => one === file || !carried.has(one));
  for (const one of answered) carried.add(one);
  const fileDescriptorProto = answered.map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
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

/** Everything with a full name that a file declares. */
function symbolsOf(file: DescFile): [string, DescFile][] {
  const names = [...nestedTypes(file)].flatMap((type) => {
    if (type.kind === 'service')
      return [type.typeName, ...type.methods.map(({ name }) => `${type.typeName}.${name}`)];
    if (type.kind === 'message')
      return [type.typeName, ...type.fields.map(({ name }) => `${type.typeName}.${name}`)];
    return [type.typeName];
  });
  return names.map((name) => [name, file]);
}
