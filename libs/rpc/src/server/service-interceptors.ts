import { Code, ConnectError, type Interceptor, type StreamResponse } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import { limitWarnings } from '@teammemory/log/limited-warnings.ts';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { eachWithin, isTracing, openSpan, within } from '@teammemory/telemetry/span.ts';
import { requestIdHeader, requestIdOf } from '../auth/call-origin.ts';
import { callerFields, principalKey } from '../auth/caller-context.ts';
import { messagesUntilEnd } from '../call-end.ts';
import { appErrorFromRpc, connectErrorFrom } from '../error-translation.ts';
import { backupMethods } from './backup-handlers.ts';
import type { RpcService } from './rpc-service.ts';

/**
 * Turns what handlers throw into RPC errors, counts and times every call, and logs internal errors with
 * their cause and, at level debug, every call. The answer to an internal error carries the request id
 * that the log has.
 */
export function createErrorInterceptor(options: {
  service: RpcService;
  log: Log;
  metrics: Metrics;
}): Interceptor {
  const { log, metrics } = options;
  const service = options.service.descriptor.typeName;
  const warn = limitWarnings(log);
  const isEachLogged = log.isLevelEnabled('debug');
  let underWay = 0;
  metrics.gauge('teammemory_rpc_calls_in_flight', () => underWay, { service });

  return (next) => async (request) => {
    const startedMs = performance.now();
    const method = request.method.name;
    underWay += 1;
    const finish = (failure?: unknown): ConnectError | undefined => {
      const thrown = endedByDeadline(failure, request.signal);
      underWay -= 1;
      const milliseconds = performance.now() - startedMs;
      const error = thrown === undefined ? undefined : appErrorFromRpc(thrown);
      const code = error?.code ?? 'ok';
      if (error !== undefined) {
        const call = { values: request.contextValues, requestHeader: request.header };
        options.service.onRefused?.(method, error, call);
      }
      metrics.rpc({ service, method, code }, milliseconds / 1000);
      const answer = thrown === undefined ? undefined : connectErrorFrom(thrown);
      const isFault = error?.code === 'internal' && !(thrown instanceof ConnectError);
      // Most calls are not logged; they need no fields.
      const isOutage = error?.code === 'unavailable';
      if (isFault || isOutage || isEachLogged) {
        const request_id = requestIdOf(request.header);
        const fields = { service, method, code, request_id, ...callerFields(request.contextValues) };
        if (isFault) {
          log.error({ ...fields, err: error.cause ?? error }, 'a call failed');
          answer?.metadata.set(requestIdHeader, request_id);
        } else if (isOutage) warn({ ...fields, err: error.cause ?? error }, 'a call could not be answered');
        if (isEachLogged) log.debug({ ...fields, milliseconds }, 'answered a call');
      }
      return answer;
    };
    try {
      if (!backupMethods.has(method)) options.service.assertOpen?.();
      const response = await next(request);
      if (!response.stream) {
        finish();
        return response;
      }
      return { ...response, message: messagesUntilEnd(response.message, finish) } as StreamResponse;
    } catch (thrown) {
      throw finish(thrown);
    }
  };
}

/**
 * A handler whose deadline has passed throws whatever its store or library makes of the abort: that is no fault of ours.
 * A call that its caller cancelled is cancelled.
 */
function endedByDeadline(thrown: unknown, signal: AbortSignal): unknown {
  if (thrown === undefined || !signal.aborted || appErrorFromRpc(thrown).code !== 'internal') return thrown;
  const isDeadline = signal.reason instanceof ConnectError && signal.reason.code === Code.DeadlineExceeded;
  return isDeadline
    ? new AppError('unavailable', 'The service did not answer in time.', { cause: thrown })
    : new AppError('cancelled', 'The call was cancelled.', { cause: thrown });
}

/**
 * Makes each call a span of the trace in its caller's `traceparent`, with service, method, code, request
 * id and the caller's team. The span of a stream ends with the stream. Adds nothing to a call without tracing.
 */
export const tracingInterceptor: Interceptor = (next) => (isTracing() ? traced(next) : next);

const traced: Interceptor = (next) => async (request) => {
  const { service, method, header, contextValues } = request;
  const span = openSpan(`${service.typeName}/${method.name}`, 'server', {
    attributes: { 'rpc.service': service.typeName, 'rpc.method': method.name },
    traceparent: header.get('traceparent'),
  });
  const end = (thrown?: unknown): void => {
    const principal = contextValues.get(principalKey);
    const error = thrown === undefined ? undefined : appErrorFromRpc(thrown);
    const known = {
      'rpc.code': error?.code ?? 'ok',
      'request.id': requestIdOf(header),
      ...(principal?.kind === 'member' ? { 'team.id': principal.caller.teamId } : {}),
    };
    span.end(known, error);
  };
  try {
    const response = await within(span, () => next(request));
    if (response.stream) {
      return {
        ...response,
        message: messagesUntilEnd(eachWithin(span, response.message), end),
      } as StreamResponse;
    }
    end();
    return response;
  } catch (thrown) {
    end(thrown);
    throw thrown;
  }
};
