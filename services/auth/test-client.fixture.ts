import { type Client, createClient, type Interceptor } from '@connectrpc/connect';
import { type Log, silentLog } from '@teammemory/log/log.ts';
import { AuthService as descriptor } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { principalKey } from '@teammemory/rpc/caller-context.ts';
import { createTokenSigner, generateSigningKeys } from '@teammemory/rpc/caller-token.ts';
import { createDirectTransport } from '@teammemory/rpc/direct-transport.ts';
import { appErrorFromRpc, connectErrorFrom } from '@teammemory/rpc/error-translation.ts';
import type { Principal } from '@teammemory/rpc/principal.ts';
import { type AuthService, type AuthServiceOptions, createAuthService } from './service.ts';

const { privateKey, publicKey } = generateSigningKeys();

/** What the tokens of `testService` are verified with. */
export const tokenKey = publicKey;

/** The service with keys of its own and, unless one is given, a log that nobody reads. */
export function testService(
  options: Pick<AuthServiceOptions, 'storage' | 'clock'> & { log?: Log },
): Promise<AuthService> {
  const signer = createTokenSigner({ privateKey, clock: options.clock });
  return createAuthService({ log: silentLog(), ...options, signer });
}

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
