import { type Client, createClient, type Interceptor } from '@connectrpc/connect';
import { QueryService as descriptor } from '@teammemory/proto/query/v1/query_pb.ts';
import { principalKey } from '@teammemory/rpc/caller-context.ts';
import { createDirectTransport } from '@teammemory/rpc/direct-transport.ts';
import { appErrorFromRpc, connectErrorFrom } from '@teammemory/rpc/error-translation.ts';
import type { Principal } from '@teammemory/rpc/principal.ts';
import type { QueryService } from './service.ts';

/** A client whose calls come from `principal`, as the authentication interceptor would have found. */
export function testClient(
  service: QueryService,
  principal: Principal | undefined,
): Client<typeof descriptor> {
  const called: Interceptor = (next) => async (request) => {
    request.contextValues.set(principalKey, principal);
    return next(request).catch((thrown: unknown) => {
      throw connectErrorFrom(thrown);
    });
  };
  return createClient(descriptor, createDirectTransport(service.rpc, [called]));
}

/** The member of a team who calls with a key of this tier. */
export function member(teamId: string, tier: 'team' | 'external'): Principal {
  const ids = { memberId: 'm', memberHandle: 'ada', keyId: 'k', teamSlug: teamId };
  return { kind: 'member', caller: { ...ids, teamId, tier } };
}

/** `ok`, or the code of the error that the call ended with. */
export function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'ok',
    (thrown) => appErrorFromRpc(thrown).code,
  );
}
