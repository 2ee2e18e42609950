import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import { microDollarsPerDollar } from '../domain/spending/prices.ts';
import type { UsageStore } from '../domain/spending/usage-store.ts';

/** Measures spending through a store, and logs reservations that ended processes left behind. */
export function meteredUsageStore(store: UsageStore, watch: { metrics: Metrics; log: Log }): UsageStore {
  const { metrics, log } = watch;
  const open = new Set<string>();
  metrics.gauge(
    'model_reservations_open',
    'Reservations that this process made and has not settled.',
    () => open.size,
  );
  const raiseCost = metrics.counter(
    'model_cost_usd_total',
    'US dollars that were charged for calls to models.',
  );
  const tokensHelp = 'Tokens that were charged for, by direction.';
  const raiseInput = metrics.counter('model_tokens_total', tokensHelp, { direction: 'input' });
  const raiseOutput = metrics.counter('model_tokens_total', tokensHelp, { direction: 'output' });

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
