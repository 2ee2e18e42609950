import type { Interceptor, Transport } from '@connectrpc/connect';
import { principalKey } from '../auth/caller-context.ts';
import { createConfirmationInterceptor } from '../auth/confirm-caller.ts';
import type { Principal } from '../auth/principal.ts';
import { appErrorFromRpc, connectErrorFrom } from '../error-translation.ts';
import type { RpcService } from '../server/rpc-service.ts';
import { createDirectTransport } from './direct-transport.ts';

/** A transport whose calls come from `principal`, as the authentication interceptor would have found. */
export function transportAs(service: RpcService, principal: Principal | undefined): Transport {
  const called: Interceptor = (next) => async (request) => {
    request.contextValues.set(principalKey, principal);
    return next(request).catch((thrown: unknown) => {
      throw connectErrorFrom(thrown);
    });
  };
  return createDirectTransport(service, [called, createConfirmationInterceptor(service.lookUpCredential)]);
}

/** `ok`, or the code of the error that the call ended with. */
export function codeOf(call: Promise<unknown> | AsyncIterable<unknown>): Promise<string> {
  const ended = Symbol.asyncIterator in call ? Array.fromAsync(call) : call;
  return ended.then(
    () => 'ok',
    (thrown) => appErrorFromRpc(thrown).code,
  );
}
