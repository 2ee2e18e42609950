import { createClient } from '@connectrpc/connect';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { expect, test } from 'vitest';
import { createDirectTransport } from '../client/direct-transport.ts';
import { rpcService } from '../server/rpc-service.ts';
import { authenticationInterceptor, createAuthenticator } from './authenticate.ts';
import {
  principalKey,
  requireAdministrator,
  requireCaller,
  requireGatewayCaller,
  requireScope,
} from './caller-context.ts';
import { createTokenSigner, createTokenVerifier, generateSigningKeys } from './caller-token.ts';
import type { Caller, Principal } from './principal.ts';

const startMs = 1_795_000_000_000;
const member: Principal = { kind: 'member', caller: { memberHandle: 'ada', access: 'write' } as Caller };
const directMember: Principal = { ...member, direct: true };
const follower: Principal = { kind: 'service', name: 'query', scopes: ['feed:read'] };

/** A service that answers who may use it, and a clock to move. */
function serve(options: { administratorToken?: string } = {}) {
  let nowMs = startMs;
  let verifications = 0;
  const clock = () => nowMs;
  const { privateKey, publicKey } = generateSigningKeys();
  const verifier = createTokenVerifier({ publicKeys: [publicKey], clock });
  const authenticator = createAuthenticator({
    audience: 'query',
    verifier: {
      verify(token, audience) {
        verifications += 1;
        return verifier.verify(token, audience);
      },
    },
    administratorToken: options.administratorToken,
    clock,
  });
  const service = rpcService(QueryService, {
    search({ question }, context) {
      if (question === 'member') requireCaller(context);
      if (question === 'gateway') requireGatewayCaller(context);
      if (question === 'administrator') requireAdministrator(context);
      if (question === 'scope') requireScope(context, 'feed:read', 'team');
      if (question === 'other scope') requireScope(context, 'auth:read', 'team');
      return {};
    },
  });
  const client = createClient(
    QueryService,
    createDirectTransport(service, [authenticationInterceptor(authenticator)]),
  );
  return {
    sign: (principal: Principal) => createTokenSigner({ privateKey, clock }).sign(principal, 'query'),
    call: (authorization: string, question: string) =>
      client.search({ question }, { headers: { authorization } }),
    pass: (ms: number) => {
      nowMs += ms;
    },
    verifications: () => verifications,
  };
}

test.each<[string, Principal, string[]]>([
  ['member through the gateway', member, ['member', 'gateway']],
  ['member who calls directly', directMember, ['member']],
  ['service', follower, ['scope']],
])('a %s may do what is for it, and nothing else', async (_, principal, allowed) => {
  const { call, sign } = serve({ administratorToken: 'secret' });
  const token = await sign(principal);
  for (const question of ['member', 'gateway', 'administrator', 'scope', 'other scope']) {
    const called = call(`Bearer ${token}`, question);
    if (allowed.includes(question)) await called;
    else await expect(called).rejects.toMatchObject({ code: 'permission_denied' });
  }
});

test('the administrator may do what is for administrators, and nothing else', async () => {
  const { call } = serve({ administratorToken: 'secret' });
  await call('Bearer secret', 'administrator');
  await call('bearer secret', 'administrator');
  for (const question of ['member', 'gateway', 'scope']) {
    await expect(call('Bearer secret', question)).rejects.toMatchObject({ code: 'permission_denied' });
  }
});

test.each(['Bearer Secret', 'Bearer secre', 'Bearer secrets', 'Basic secret', 'secret', 'Bearer', ''])(
  '%j is not the administrator',
  async (authorization) => {
    const { call } = serve({ administratorToken: 'secret' });
    await expect(call(authorization, 'administrator')).rejects.toMatchObject({ code: 'unauthenticated' });
  },
);

test.each(['Bearer undefined', 'Bearer null', 'Bearer '])(
  'where no token is set, %j is no administrator either',
  async (authorization) => {
    await expect(serve().call(authorization, 'administrator')).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  },
);

test('a token is verified once, and refused again as soon as it has expired', async () => {
  const { call, sign, pass, verifications } = serve();
  const token = await sign(member);
  for (let calls = 0; calls < 5; calls += 1) await call(`Bearer ${token}`, 'member');
  expect(verifications()).toBe(1);
  pass(66_000);
  await expect(call(`Bearer ${token}`, 'member')).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('after the clock was set back a token counts as what it then is, one of the future', async () => {
  const { call, sign, pass } = serve();
  const token = await sign(member);
  await call(`Bearer ${token}`, 'member');
  pass(-3_600_000);
  await expect(call(`Bearer ${token}`, 'member')).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('exchanging a credential needs no token, and makes nobody of whoever brings one', async () => {
  const authenticator = createAuthenticator({
    audience: 'auth',
    verifier: { verify: () => Promise.reject(new Error('nothing is to be verified')) },
    administratorToken: 'secret',
    clock: () => startMs,
  });
  const seen: (Principal | undefined)[] = [];
  const service = rpcService(AuthService, {
    exchangeCredential(_, context) {
      seen.push(context.values.get(principalKey));
      return {};
    },
    getTeam: () => ({}),
  });
  const client = createClient(
    AuthService,
    createDirectTransport(service, [authenticationInterceptor(authenticator)]),
  );
  await client.exchangeCredential({});
  await client.exchangeCredential({}, { headers: { authorization: 'Bearer secret' } });
  expect(seen).toEqual([undefined, undefined]);
  await expect(client.getTeam({})).rejects.toMatchObject({ code: 'unauthenticated' });
});
