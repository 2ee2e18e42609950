import type { HandlerContext } from '@connectrpc/connect';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { type AuthenticationOptions, createAuthenticator } from './authentication-interceptor.ts';
import { appErrorFromRpc, connectErrorFrom } from './error-translation.ts';

/** Runs on a call's headers, before its message is read; throws a ConnectError to refuse it. */
export type RequestGate = (context: HandlerContext) => Promise<void>;

/**
 * Refuses calls without a good token at the door of a listener: what nobody
 * may send is not read into memory first. Refusals are counted like answers.
 */
export function createRequestGate(options: AuthenticationOptions & { metrics: Metrics }): RequestGate {
  const authenticate = createAuthenticator(options);
  return async ({ requestHeader, values, service, method }) => {
    try {
      await authenticate({ method, header: requestHeader, values });
    } catch (thrown) {
      const { code } = appErrorFromRpc(thrown);
      options.metrics.rpc({ service: service.typeName, method: method.name, code }, 0);
      throw connectErrorFrom(thrown);
    }
  };
}
