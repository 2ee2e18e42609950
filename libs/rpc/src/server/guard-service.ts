import type { DescMethod } from '@bufbuild/protobuf';
import type { ContextValues, Interceptor } from '@connectrpc/connect';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import {
  type AuthenticationOptions,
  type Authenticator,
  authenticationInterceptor,
  createAuthenticator,
} from '../auth/authenticate.ts';
import { requestIdInterceptor, requestIdOf, viaPartKey } from '../auth/call-origin.ts';
import { principalKey, requireAdministrator, requireGatewayCaller } from '../auth/caller-context.ts';
import { appErrorFromRpc, connectErrorFrom } from '../error-translation.ts';
import { limitsOf } from '../method-limits.ts';
import { createMemberCalls } from './member-calls.ts';
import type { RpcService } from './rpc-service.ts';
import { createErrorInterceptor, tracingInterceptor } from './service-interceptors.ts';

/** With a token of its own, a part says in this header that it passes on the call of another. */
export const viaPartHeader = 'x-via-part';

/**
 * Runs on a call's headers, before its message is read, and puts what it finds
 * out about the caller among the values; throws a ConnectError to refuse it.
 */
export type RequestGate = (call: {
  method: DescMethod;
  header: Headers;
  values: ContextValues;
}) => Promise<void>;

/** A service with its interceptors and gate. */
export interface ServedService {
  service: RpcService;
  /** What stands before its handlers, over the network and in one process. The outermost is the first. */
  interceptors: Interceptor[];
  requestGate: RequestGate;
}

type GuardOptions = Omit<AuthenticationOptions, 'audience'> & {
  service: RpcService;
  log: Log;
  metrics: Metrics;
};

/** Puts before a service what finds out who calls it, and what notes how its calls end. */
export function guardService(options: GuardOptions): ServedService {
  const { service } = options;
  const authenticator = createAuthenticator({ ...options, audience: service.audience });
  const interceptors = [
    requestIdInterceptor,
    tracingInterceptor,
    createErrorInterceptor(options),
    authenticationInterceptor(authenticator, service.lookUpCredential),
  ];
  return { service, interceptors, requestGate: createRequestGate(authenticator, options) };
}

/**
 * Refuses calls without a good token at the door of a listener, those that only the gateway or administrators may make,
 * and those of a key that made too many: what nobody may send is not read into memory first.
 * Refusals are counted and logged like answers.
 */
function createRequestGate(
  { authenticate, principalOf }: Authenticator,
  { service, log, metrics }: GuardOptions,
): RequestGate {
  const memberCalls = createMemberCalls(() => performance.now());

  async function isPart(token: string): Promise<boolean> {
    const principal = await principalOf(token).catch(() => undefined);
    return principal?.kind === 'service' && principal.direct !== true;
  }

  return async (call) => {
    const { method, header, values } = call;
    const via = header.get(viaPartHeader);
    if (via !== null && (await isPart(via))) values.set(viaPartKey, true);
    try {
      await authenticate(call);
      const { gatewayOnly, administratorsOnly } = limitsOf(method);
      if (gatewayOnly) requireGatewayCaller(call);
      if (administratorsOnly) requireAdministrator(call);
      memberCalls.count(values.get(principalKey), method);
    } catch (thrown) {
      const error = appErrorFromRpc(thrown);
      const { code } = error;
      service.onRefused?.(method.name, error, { values, requestHeader: header });
      const labels = { service: method.parent.typeName, method: method.name, code };
      metrics.rpc(labels, 0);
      log.debug({ ...labels, request_id: requestIdOf(header) }, 'refused a call');
      throw connectErrorFrom(thrown);
    }
  };
}
