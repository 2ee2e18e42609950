import type { HandlerContext } from '@connectrpc/connect';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { type AuthenticationOptions, createAuthenticator } from './authentication-interceptor.ts';
import { appErrorFromRpc, connectErrorFrom } from './error-translation.ts';
import { requestIdOf } from './request-id.ts';

/** Runs on a call's headers, before its message is read; throws a ConnectError to refuse it. */
export type RequestGate = (context: HandlerContext) => Promise<void>;

/**
 * Refuses calls without a good token at the door of a listener: what nobody
 * may send is not read into memory first. Refusals are counted and logged like
 * answers.
 */
export function createRequestGate(
  options: AuthenticationOptions & { log: Log; metrics: Metrics },
): RequestGate {
  const authenticate = createAuthenticator(options);
  return async ({ requestHeader, values, service, method }) => {
    try {
      await authenticate({ method, header: requestHeader, values });
    } catch (thrown) {
      const { code } = appErrorFromRpc(thrown);
      const labels = { service: service.typeName, method: method.name, code };
      options.metrics.rpc(labels, 0);
      options.log.debug({ ...labels, request_id: requestIdOf(requestHeader) }, 'refused a call');
      throw connectErrorFrom(thrown);
    }
  };
}
