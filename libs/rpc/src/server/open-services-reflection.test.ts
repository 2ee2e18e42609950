import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { ServerReflection } from '@teammemory/proto/grpc/reflection/v1/reflection_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RpcServer, startRpcServer } from './rpc-server.ts';
import { rpcService } from './rpc-service.ts';

let server: RpcServer;
let url: string;
beforeAll(async () => {
  const service = rpcService(QueryService, {
    search: async ({ question }) => ({ passages: [{ text: `about ${question}` }] }),
  });
  const services = [{ service, interceptors: [], requestGate: async () => undefined }];
  server = await startRpcServer({ host: '127.0.0.1', port: 0, services });
  url = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.close());

const buf = join(import.meta.dirname, '../../../../node_modules/.bin/buf');

async function curl(...options: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(buf, ['curl', '--http2-prior-knowledge', ...options]);
  return stdout;
}

describe.each(['grpc-v1', 'grpc-v1alpha'])('by %s', (version) => {
  test('buf lists the services with their methods', async () => {
    const methods = (await curl('--reflect-protocol', version, '--list-methods', url)).split('\n');
    expect(methods).toEqual(
      expect.arrayContaining([
        'grpc.health.v1.Health/Check',
        'grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
        'grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
        'teammemory.query.v1.QueryService/Search',
      ]),
    );
  });

  test.each(['connect', 'grpc', 'grpcweb'])(
    'buf calls a method that it knows from here, by %s',
    async (protocol) => {
      const options = ['--reflect-protocol', version, '--protocol', protocol, '-d', '{"question":"tea"}'];
      const answer = await curl(...options, `${url}/${QueryService.typeName}/Search`);
      expect(JSON.parse(answer)).toEqual({ passages: [{ text: 'about tea' }] });
    },
  );
});

type Question =
  Parameters<ReturnType<typeof client>['serverReflectionInfo']>[0] extends AsyncIterable<infer One>
    ? One
    : never;

const client = () => createClient(ServerReflection, createGrpcTransport({ baseUrl: url }));

/** The answers to questions of one stream: names of files, or what else was answered. */
async function ask(...questions: Question['messageRequest'][]): Promise<unknown[]> {
  async function* stream() {
    for (const messageRequest of questions) yield { host: 'h', messageRequest };
  }
  const answers: unknown[] = [];
  for await (const { messageResponse } of client().serverReflectionInfo(stream())) {
    if (messageResponse.case !== 'fileDescriptorResponse') answers.push(messageResponse);
    else {
      const files = messageResponse.value.fileDescriptorProto;
      answers.push(files.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes).name));
    }
  }
  return answers;
}

const query = 'teammemory/query/v1/query.proto';
const tier = 'teammemory/common/v1/tier.proto';

test.each([
  'teammemory.query.v1.QueryService',
  'teammemory.query.v1.QueryService.Search',
  'teammemory.query.v1.SearchRequest',
  'teammemory.query.v1.SearchRequest.question',
])('the file of %s comes with what it imports', async (value) => {
  const [files] = await ask({ case: 'fileContainingSymbol', value });
  expect(files).toEqual(expect.arrayContaining([query, tier]));
});

test('the details of errors are known, so that a client can read them', async () => {
  const error = 'teammemory/common/v1/error.proto';
  const [files] = await ask({
    case: 'fileContainingSymbol',
    value: 'teammemory.common.v1.ErrorDetail.Violation',
  });
  expect(files).toEqual(expect.arrayContaining([error]));
});

test('what is not here is not found, and the stream goes on', async () => {
  const notFound = { case: 'errorResponse', value: { errorCode: 5 } };
  const answers = await ask(
    { case: 'fileByFilename', value: '../secret' },
    { case: 'fileContainingSymbol', value: 'no.such.Symbol' },
    { case: 'allExtensionNumbersOfType', value: 'teammemory.query.v1.SearchRequest' },
    { case: 'fileContainingSymbol', value: 'teammemory.query.v1.SearchRequest' },
  );
  expect(answers).toMatchObject([
    notFound,
    notFound,
    { case: 'errorResponse', value: { errorCode: 12 } },
    expect.arrayContaining([query]),
  ]);
});
