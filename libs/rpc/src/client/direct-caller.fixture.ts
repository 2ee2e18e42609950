import type { ContextValues, Interceptor, Transport } from '@connectrpc/connect';
import { authenticationInterceptor } from '../auth/authenticate.ts';
import { principalKey } from '../auth/caller-context.ts';
import type { Principal } from '../auth/principal.ts';
import { appErrorFromRpc, connectErrorFrom } from '../error-translation.ts';
import type { RpcService } from '../server/rpc-service.ts';
import { createDirectTransport } from './direct-transport.ts';

/** A transport whose calls come from `principal`, as the authentication interceptor would have found. */
export function transportAs(service: RpcService, principal: Principal | undefined): Transport {
  const told: Interceptor = (next) => (request) =>
    next(request).catch((thrown: unknown) => {
      throw connectErrorFrom(thrown);
    });
  const authenticator = {
    authenticate: async ({ values }: { values: ContextValues }) => void values.set(principalKey, principal),
  };
  const authentication = authenticationInterceptor(authenticator, service.lookUpCredential);
  return createDirectTransport(service, [told, authentication]);
}

/** `ok`, or the code of the error that the call ended with. */
export function codeOf(call: Promise<unknown> | AsyncIterable<unknown>): Promise<string> {
  const ended = Symbol.asyncIterator in call ? Array.fromAsync(call) : call;
  return ended.then(
    () => 'ok',
    (thrown) => appErrorFromRpc(thrown).code,
  );
}
