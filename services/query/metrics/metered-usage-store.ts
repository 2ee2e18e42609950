import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { microDollarsPerDollar } from '../domain/spending/prices.ts';
import type { UsageStore } from '../domain/spending/usage-store.ts';

/** Measures spending through a store, and logs reservations that ended processes left behind. */
export function meteredUsageStore(store: UsageStore, watch: { metrics: Metrics; log: Log }): UsageStore {
  const { metrics, log } = watch;
  const open = new Set<string>();
  metrics.gauge('teammemory_model_reservations_open', () => open.size);
  const raiseCost = metrics.counter('teammemory_model_cost_usd_total');
  const raiseInput = metrics.counter('teammemory_model_tokens_total', { direction: 'input' });
  const raiseOutput = metrics.counter('teammemory_model_tokens_total', { direction: 'output' });

  return {
    ...store,
    async reserve(teamId, reservation, limits) {
      const refusal = await store.reserve(teamId, reservation, limits);
      if (refusal === undefined) open.add(reservation.id);
      return refusal;
    },
    async settle(teamId, reservation, usage, cost) {
      open.delete(reservation.id);
      const isCharged = await store.settle(teamId, reservation, usage, cost);
      if (!isCharged) return false;
      raiseCost(cost / microDollarsPerDollar);
      raiseInput(usage.inputTokens);
      raiseOutput(usage.outputTokens);
      return true;
    },
    async release(teamId, reservation) {
      open.delete(reservation.id);
      await store.release(teamId, reservation);
    },
    async expired(teamId, now, limit) {
      const reservations = await store.expired(teamId, now, limit);
      if (reservations.length > 0) {
        const fields = { team_id: teamId, reservations: reservations.length };
        log.warn(fields, 'reservations that nobody settled are charged in full');
      }
      return reservations;
    },
  };
}
