import { type Client, createClient, type Interceptor } from '@connectrpc/connect';
import { AuthService as descriptor } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { principalKey } from '@teammemory/rpc/caller-context.ts';
import { createDirectTransport } from '@teammemory/rpc/direct-transport.ts';
import { appErrorFromRpc, connectErrorFrom } from '@teammemory/rpc/error-translation.ts';
import type { Principal } from '@teammemory/rpc/principal.ts';
import type { AuthService } from './service.ts';

/** A client whose calls come from `principal`, as the authentication interceptor would have found. */
export function testClient(
  service: AuthService,
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

/** `ok`, or the code of the error that the call ended with. */
export function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'ok',
    (thrown) => appErrorFromRpc(thrown).code,
  );
}
