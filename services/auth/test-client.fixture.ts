import { type Client, createClient } from '@connectrpc/connect';
import { type Log, silentLog } from '@teammemory/log/log.ts';
import { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { Caller } from '@teammemory/proto/common/v1/caller_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { createTokenSigner, generateSigningKeys } from '@teammemory/rpc/auth/caller-token.ts';
import type { Principal } from '@teammemory/rpc/auth/principal.ts';
import { transportAs } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { accessFromProto } from './rpc/auth-proto.ts';
import { type AuthServiceOptions, createAuthService } from './service.ts';

const { privateKey, publicKey } = generateSigningKeys();

/** What the tokens of `testService` are verified with. */
export const tokenKey = publicKey;

/** The service with keys of its own and, unless one is given, a log that nobody reads. */
export function testService(
  options: Pick<AuthServiceOptions, 'storage' | 'clock'> & { log?: Log },
): Promise<ServiceInstance> {
  const signer = createTokenSigner({ privateKey, clock: options.clock });
  return createAuthService({ log: silentLog(), ...options, signer });
}

/** A client whose calls come from `principal`. */
export function testClient(
  service: ServiceInstance,
  principal: Principal | undefined,
): Client<typeof AuthService> {
  return createClient(AuthService, transportAs(service.rpc, principal));
}

/** Who calls with a key or in a session of which the service said that its holder is `caller`, as the gateway names them. */
export function memberOf(caller: Caller | undefined): Extract<Principal, { kind: 'member' }> {
  if (caller === undefined) throw new Error('There is no caller.');
  const { teamId, teamSlug, memberId, memberHandle, keyId, tier } = caller;
  const access = accessFromProto(caller.access);
  if (access === undefined) throw new Error('There is no access.');
  return {
    kind: 'member',
    caller: {
      teamId,
      teamSlug,
      memberId,
      memberHandle,
      keyId,
      tier: tier === Tier.TEAM ? 'team' : 'external',
      access,
    },
  };
}
