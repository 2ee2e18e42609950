import { ConnectError, type Interceptor, type StreamResponse } from '@connectrpc/connect';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { callerFields } from '../auth/caller-fields.ts';
import { appErrorFromRpc, connectErrorFrom } from '../error-translation.ts';
import { requestIdHeader, requestIdOf } from '../request-id.ts';
import type { RpcService } from './rpc-service.ts';
import { untilEnd } from './until-end.ts';

/**
 * Turns what the handlers of a service throw into RPC errors, logs faults of
 * ours with their cause and, at level debug, every call, and counts and times
 * each. The answer to a fault has the request id that the log has.
 */
export function createErrorInterceptor(options: {
  service: RpcService;
  log: Log;
  metrics: Metrics;
}): Interceptor {
  const { log, metrics } = options;
  const service = options.service.descriptor.typeName;
  let underWay = 0;
  metrics.gauge('rpc_calls_in_flight', 'RPCs under way by service.', () => underWay, { service });

  return (next) => async (request) => {
    const startedMs = performance.now();
    const method = request.method.name;
    underWay += 1;
    const finish = (thrown?: unknown): ConnectError | undefined => {
      underWay -= 1;
      const milliseconds = performance.now() - startedMs;
      const error = thrown === undefined ? undefined : appErrorFromRpc(thrown);
      const code = error?.code ?? 'ok';
      metrics.rpc({ service, method, code }, milliseconds / 1000);
      const answer = thrown === undefined ? undefined : connectErrorFrom(thrown);
      const isFault = error?.code === 'internal' && !(thrown instanceof ConnectError);
      // Most calls are not logged, and then nothing is put together for them.
      if (isFault || log.isLevelEnabled('debug')) {
        const request_id = requestIdOf(request.header);
        const fields = { service, method, code, request_id, ...callerFields(request.contextValues) };
        if (isFault) {
          log.error({ ...fields, err: error.cause ?? error }, 'a call failed');
          answer?.metadata.set(requestIdHeader, request_id);
        } else log.debug({ ...fields, milliseconds }, 'answered a call');
      }
      return answer;
    };
    try {
      const response = await next(request);
      if (!response.stream) {
        finish();
        return response;
      }
      return { ...response, message: untilEnd(response.message, finish) } as StreamResponse;
    } catch (thrown) {
      throw finish(thrown);
    }
  };
}
