import type { DescService } from '@bufbuild/protobuf';
import type { ConnectRouter } from '@connectrpc/connect';
import { chargeRefusals } from './charge-refusals.ts';
import { endWithSignal } from './end-with-signal.ts';
import { createHealthService, type HealthOptions } from './health-service.ts';
import { createReflectionServices } from './reflection-service.ts';

/**
 * Adds what every listener answers without a token: health checks and the
 * reflection of the services that are reached through it.
 */
export function addOpenServices(
  router: ConnectRouter,
  options: HealthOptions & { descriptors: readonly DescService[] },
): void {
  const health = createHealthService(options);
  for (const { descriptor, implementation } of [
    health,
    ...createReflectionServices([...options.descriptors, health.descriptor]),
  ]) {
    router.service(descriptor, implementation, { interceptors: [chargeRefusals, endWithSignal] });
  }
}
