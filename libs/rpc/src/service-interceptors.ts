import type { Interceptor } from '@connectrpc/connect';
import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { createAuthenticationInterceptor } from './authentication-interceptor.ts';
import type { TokenVerifier } from './caller-token.ts';
import { createErrorInterceptor } from './error-interceptor.ts';
import type { RpcService } from './rpc-service.ts';

/**
 * What stands before every handler of a service, the same over the network and
 * in one process. Connect applies the last of the list first.
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
    createAuthenticationInterceptor({ ...options, audience: options.service.audience }),
    createErrorInterceptor(options),
  ];
}
