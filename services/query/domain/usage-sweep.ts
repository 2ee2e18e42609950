import type { UsageStore } from './usage-store.ts';

/** Reservations that one sweep settles: what a crash of one busy process leaves, in well under a second. */
const sweptAtOnce = 100;

/**
 * Charges what a team's calls can have cost at most where nobody came back to
 * say what they did cost: their process died, and the provider may bill them.
 * Any number of processes may do this at once. Answers how many there were.
 * @throws AppError `unavailable`.
 */
export async function sweepExpired(usage: UsageStore, teamId: string, now: number): Promise<number> {
  const expired = await usage.expired(teamId, now, sweptAtOnce);
  for (const reservation of expired) {
    await usage.settle(teamId, reservation, reservation.worstCase, reservation.amount);
  }
  return expired.length;
}
