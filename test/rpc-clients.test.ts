import { beforeAll, describe, expect, test } from 'vitest';
import { bufCurl, prepareGrpcClient, reflectedMethods } from './support/rpc/foreign-clients.ts';
import { type RpcAnswer, rpcCall, rpcProtocols } from './support/rpc/rpc-call.ts';
import { sharedService } from './support/service/shared-service.ts';

/** One call of an administrator to each service, and the field of its answer that is never empty. */
const calls = [
  { service: 'teammemory.analytics.v1.AnalyticsService', name: 'GetRollup', field: 'rubricVersion' },
  { service: 'teammemory.auth.v1.AuthService', name: 'GetTeam', field: 'team' },
  { service: 'teammemory.content.v1.ContentService', name: 'ListDecisions', field: 'page' },
  { service: 'teammemory.query.v1.QueryService', name: 'GetUsage', field: 'to' },
] as const;
type Call = (typeof calls)[number];
const healthCheck = 'grpc.health.v1.Health/Check';
/** Python starts slowly on a machine that is busy. */
const timeoutMs = 60_000;

const grpcClient = await prepareGrpcClient();
const service = sharedService();
let slug: string;
let teamId: string;
beforeAll(async () => {
  slug = (await service().createTeam()).slug;
  const { message } = await byHand('connect', 'teammemory.auth.v1.AuthService/GetTeam', { slug });
  teamId = message.team.teamId;
});

const messageOf = ({ name }: Call) => (name === 'GetTeam' ? { slug } : { teamId });

function byHand(
  protocol: (typeof rpcProtocols)[number],
  method: string,
  message: object,
): Promise<RpcAnswer> {
  const { rpcUrl, adminToken } = service();
  return rpcCall({ rpcUrl, protocol, method, message, authorization: `Bearer ${adminToken}` });
}

async function byBuf(protocol: string, method: string, message: object) {
  const { rpcUrl, adminToken } = service();
  const header = `authorization: Bearer ${adminToken}`;
  const data = JSON.stringify(message);
  return JSON.parse(await bufCurl('--protocol', protocol, '-H', header, '-d', data, `${rpcUrl}/${method}`));
}

describe.each(calls)('$service', (call) => {
  const method = `${call.service}/${call.name}`;

  test.for(rpcProtocols)('answers %s', async (protocol) => {
    const { code, message } = await byHand(protocol, method, messageOf(call));
    expect(code).toBe('ok');
    expect(message[call.field]).toBeTruthy();
    const health = await byHand(protocol, healthCheck, { service: call.service });
    expect(health).toMatchObject({ code: 'ok', message: { status: 'SERVING' } });
  });

  test.for(['grpc', 'grpcweb', 'connect'])('is called by buf curl over %s', async (protocol) => {
    expect((await byBuf(protocol, method, messageOf(call)))[call.field]).toBeTruthy();
    expect(await byBuf(protocol, healthCheck, { service: call.service })).toEqual({ status: 'SERVING' });
  });
});

test.for(['grpc-v1', 'grpc-v1alpha'])(
  'reflection over %s lists the methods of every service',
  async (version) => {
    const methods = await reflectedMethods(service().rpcUrl, version);
    const expected = calls.map(({ service: name, name: method }) => `${name}/${method}`);
    expect(methods).toEqual(expect.arrayContaining([...expected, healthCheck]));
  },
);

describe.skipIf('reason' in grpcClient)(
  `a gRPC client that knows only what reflection says${'reason' in grpcClient ? ` (skipped: ${grpcClient.reason})` : ''}`,
  () => {
    test('calls every service, checks its health, and is refused without a token', {
      timeout: timeoutMs,
    }, async () => {
      if ('reason' in grpcClient) return;
      const { rpcUrl, adminToken: token } = service();
      const answers = await grpcClient.call(
        rpcUrl,
        calls.flatMap((call) => {
          const method = `${call.service}/${call.name}`;
          return [
            { method, message: messageOf(call), token },
            { method: healthCheck, message: { service: call.service } },
            { method, message: messageOf(call) },
          ];
        }),
      );
      const expected = calls.flatMap(({ field }) => [
        { code: 'ok', message: expect.objectContaining({ [field]: expect.anything() }) },
        { code: 'ok', message: { status: 'SERVING' } },
        { code: 'unauthenticated', message: expect.anything() },
      ]);
      expect(answers).toEqual(expected);
    });
  },
);
