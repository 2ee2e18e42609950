import { setTimeout as delay } from 'node:timers/promises';
import type { RunningService } from '../service/running-service.ts';
import { gatewayProcesses, isServing } from './part-process.ts';

/** How often a load balancer looks whether a gateway is ready. */
export const balancerCheckMs = 100;

/** Sends to gateways that are ready, by turns. */
export interface Balancer {
  /** Address of the gateway for the next request. */
  next(): string;
  stop(): Promise<void>;
}

/** Names the gateways of a service that say that they are ready, by turns, as a load balancer chooses them. */
export function startBalancer(service: RunningService): Balancer {
  const gateways = gatewayProcesses(service);
  let ready = gateways;
  let turn = 0;
  let stopped = false;
  async function watch(): Promise<void> {
    while (!stopped) {
      const answers = await Promise.all(gateways.map((gateway) => isServing(gateway).catch(() => false)));
      ready = gateways.filter((_, index) => answers[index]);
      await delay(balancerCheckMs);
    }
  }
  const watching = watch();
  return {
    next() {
      turn += 1;
      const candidates = ready.length > 0 ? ready : gateways;
      return candidates[turn % candidates.length]?.address as string;
    },
    async stop() {
      stopped = true;
      await watching;
    },
  };
}
