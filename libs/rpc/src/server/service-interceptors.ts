import type { Interceptor } from '@connectrpc/connect';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { createAuthenticationInterceptor } from '../auth/authentication-interceptor.ts';
import type { TokenVerifier } from '../auth/caller-token.ts';
import { createErrorInterceptor } from './error-interceptor.ts';
import type { RpcService } from './rpc-service.ts';
import { tracingInterceptor } from './tracing-interceptor.ts';

/**
 * What stands before every handler of a service, the same over the network and
 * in one process. The first of the list is the outermost: it sees what the others throw.
 */
export function serviceInterceptors(options: {
  service: RpcService;
  verifier: TokenVerifier;
  administratorToken: string | undefined;
  clock: () => number;
  log: Log;
  metrics: Metrics;
}): Interceptor[] {
  return [
    tracingInterceptor,
    createErrorInterceptor(options),
    createAuthenticationInterceptor({ ...options, audience: options.service.audience }),
  ];
}
