import type { Sweep } from './spending.ts';
import { type Caps, type DayStanding, dayOf, endOfDay, type UsageStore } from './usage-store.ts';

/** A day against its cap. */
export interface CappedDay extends DayStanding {
  /** Whole micro-dollars. */
  cap: number;
}

/** What a member and the member's team spent on one day. */
export interface DaySpending {
  /** UTC, YYYY-MM-DD. */
  day: string;
  team: CappedDay;
  member: CappedDay;
  /** When the day ends, milliseconds since the epoch. */
  resetAt: number;
}

/**
 * Returns today's spending of a member and of the team, calls whose process died included: these are charged first.
 * @throws AppError `unavailable`.
 */
export async function daySpending(
  { usage, sweep, caps, clock }: { usage: UsageStore; sweep: Sweep; caps: Caps; clock: () => number },
  { teamId, memberId }: { teamId: string; memberId: string },
): Promise<DaySpending> {
  const now = clock();
  const day = dayOf(now);
  await sweep(teamId, now);
  const [team, member] = await Promise.all([
    usage.standing(teamId, day, undefined),
    usage.standing(teamId, day, memberId),
  ]);
  return {
    day,
    team: { ...team, cap: caps.team },
    member: { ...member, cap: caps.member },
    resetAt: endOfDay(now),
  };
}
