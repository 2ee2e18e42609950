import type { UsageStore } from './usage-store.ts';

/** Reservations that one sweep settles: what a crash of one busy process leaves, in well under a second. */
const sweptAtOnce = 100;

/** Sweeps the expired reservations of a team; `now` is milliseconds since the epoch. @throws AppError `unavailable`. */
export type Sweep = (teamId: string, now: number) => Promise<void>;

/**
 * Makes the sweep, which charges what a team's calls can have cost at most where
 * nobody came back to say what they did cost: their process died, and the
 * provider may bill them. Any number of processes may sweep at once. Callers of
 * this one share a sweep that is under way: if each of the many who ask after a
 * crash settled all that it left, they would wait for minutes.
 */
export function createSweep(usage: UsageStore): Sweep {
  const underWay = new Map<string, Promise<void>>();

  async function sweep(teamId: string, now: number): Promise<void> {
    try {
      for (const reservation of await usage.expired(teamId, now, sweptAtOnce))
        await usage.settle(teamId, reservation, reservation.worstCase, reservation.amount);
    } finally {
      underWay.delete(teamId);
    }
  }

  return (teamId, now) => underWay.getOrInsertComputed(teamId, () => sweep(teamId, now));
}
