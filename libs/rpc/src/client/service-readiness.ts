import { createClient } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import {
  Health,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@teammemory/proto/grpc/health/v1/health_pb.ts';
import type { NetworkTransport } from './network-transport.ts';

/** Longer than a service takes to give up on its store, shorter than whoever asks for readiness waits. */
const checkTimeoutMs = 2_500;

/**
 * Makes the check whether one endpoint of a service is ready: reaching it is not enough, because its
 * store may be unavailable.
 * @throws AppError `unavailable` from the check, within 2.5 seconds.
 */
export function createServiceReadiness(options: {
  /** Its endpoints take calls by turns, so that as many checks at once reach them all. */
  transport: NetworkTransport;
  /** The service's full name. */
  service: string;
}): () => Promise<void> {
  const { transport, service } = options;
  const health = createClient(Health, transport);

  async function checkOne(): Promise<void> {
    const { status } = await health.check({ service }, { timeoutMs: checkTimeoutMs });
    if (status !== ServingStatus.SERVING) throw new Error(`${service} is not serving`);
  }

  return async () => {
    try {
      await Promise.any(Array.from({ length: transport.endpoints() }, checkOne));
    } catch (cause) {
      throw new AppError('unavailable', 'A part of the service cannot work right now.', { cause });
    }
  };
}
