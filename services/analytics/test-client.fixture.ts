import { type Client, createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { AnalyticsService as descriptor } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { principalKey } from '@teammemory/rpc/caller-context.ts';
import { createDirectTransport } from '@teammemory/rpc/direct-transport.ts';
import { appErrorFromRpc, connectErrorFrom } from '@teammemory/rpc/error-translation.ts';
import type { Principal } from '@teammemory/rpc/principal.ts';
import type { RpcService } from '@teammemory/rpc/rpc-service.ts';

/** A client whose calls come from `principal`, as the authentication interceptor would have found. */
export function testClient(
  service: { rpc: RpcService },
  principal: Principal | undefined,
): Client<typeof descriptor> {
  return createClient(descriptor, transportAs(service.rpc, principal));
}

/** A transport on which every call comes from `principal`. */
export function transportAs(service: RpcService, principal: Principal | undefined): Transport {
  const called: Interceptor = (next) => async (request) => {
    request.contextValues.set(principalKey, principal);
    return next(request).catch((thrown: unknown) => {
      throw connectErrorFrom(thrown);
    });
  };
  return createDirectTransport(service, [called]);
}

/** `ok`, or the code of the error that the call ended with. */
export function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'ok',
    (thrown) => appErrorFromRpc(thrown).code,
  );
}
