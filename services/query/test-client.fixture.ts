import { type Client, createClient } from '@connectrpc/connect';
import { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import type { Principal } from '@teammemory/rpc/auth/principal.ts';
import { transportAs } from '@teammemory/rpc/client/direct-caller.fixture.ts';
import type { ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';

/** A client whose calls come from `principal`. */
export function testClient(
  service: ServiceInstance,
  principal: Principal | undefined,
): Client<typeof QueryService> {
  return createClient(QueryService, transportAs(service.rpc, principal));
}

/** The member of a team who calls with a key of this tier. */
export function member(teamId: string, tier: 'team' | 'external'): Principal {
  const ids = { memberId: 'm', memberHandle: 'ada', keyId: 'k', teamSlug: teamId };
  return { kind: 'member', caller: { ...ids, teamId, tier, access: 'write' } };
}
