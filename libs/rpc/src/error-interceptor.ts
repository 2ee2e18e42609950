import { ConnectError, type Interceptor, type StreamResponse } from '@connectrpc/connect';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { appErrorFromRpc, connectErrorFrom } from './error-translation.ts';

/**
 * The outermost interceptor of every service: turns what handlers throw into
 * RPC errors, logs faults of ours with their cause, and counts and times every
 * call.
 */
export function createErrorInterceptor(options: { log: Log; metrics: Metrics }): Interceptor {
  return (next) => async (request) => {
    const startedMs = performance.now();
    const labels = { service: request.service.typeName, method: request.method.name };
    const finish = (thrown?: unknown): ConnectError | undefined => {
      const seconds = (performance.now() - startedMs) / 1000;
      if (thrown === undefined) {
        options.metrics.rpc({ ...labels, code: 'ok' }, seconds);
        return undefined;
      }
      const error = appErrorFromRpc(thrown);
      options.metrics.rpc({ ...labels, code: error.code }, seconds);
      if (error.code === 'internal' && !(thrown instanceof ConnectError)) {
        const request_id = request.header.get('x-request-id') ?? undefined;
        options.log.error({ ...labels, request_id, err: error.cause ?? error }, 'a call failed');
      }
      return connectErrorFrom(thrown);
    };
    try {
      const response = await next(request);
      if (!response.stream) {
        finish();
        return response;
      }
      return { ...response, message: watched(response.message, finish) } as StreamResponse;
    } catch (thrown) {
      throw finish(thrown);
    }
  };
}

async function* watched<Message>(
  messages: AsyncIterable<Message>,
  finish: (thrown?: unknown) => ConnectError | undefined,
): AsyncGenerator<Message> {
  try {
    yield* messages;
  } catch (thrown) {
    throw finish(thrown);
  }
  finish();
}
