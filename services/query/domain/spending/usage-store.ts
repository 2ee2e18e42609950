import type { TokenUsage, UsagePosition, UsageTotal } from './usage.ts';

/** What is held back for one call until it is known what the call cost. */
export interface Reservation {
  /** UUID. */
  id: string;
  /** UTC, YYYY-MM-DD; the call belongs to this day whenever it ends. */
  day: string;
  /** Empty for calls in the name of the team. */
  memberId: string;
  model: string;
  worstCase: TokenUsage;
  /** What the worst case costs, in whole micro-dollars. */
  amount: number;
  /** Milliseconds since the epoch; no call lasts so long. */
  expiresAt: number;
}

/** The most that a day may come to, in whole micro-dollars; Infinity for no limit. */
export interface Caps {
  member: number;
  team: number;
}

/** What a reservation must keep to. */
export interface Limits extends Caps {
  /** Reservations that may be open at once on the day of a member or of a team. */
  open: number;
}

/** Why a reservation was not made: it would have taken a day past its cap. */
export interface CapRefusal {
  scope: keyof Caps;
  /** What is spent and held back already, in whole micro-dollars. */
  spent: number;
}

/**
 * Keeps what teams and their members spend, by day. Each method throws AppError
 * `unavailable` where the engine does not answer.
 */
export interface UsageStore {
  /**
   * Holds an amount back from the day of the member and from that of the team,
   * or from neither; asks the member's cap first. Undefined where it was done.
   * @throws AppError `unavailable` also where too many reservations are open.
   */
  reserve(teamId: string, reservation: Reservation, limits: Limits): Promise<CapRefusal | undefined>;
  /**
   * Puts what a call came to in the place of its reservation. Does nothing where
   * that is gone, and answers false; cut short it can be repeated, and completes
   * what is missing. Of several at once one answers true.
   */
  settle(teamId: string, reservation: Reservation, usage: TokenUsage, cost: number): Promise<boolean>;
  /** Gives a reservation back. Does nothing where it is gone; can be repeated likewise. */
  release(teamId: string, reservation: Reservation): Promise<void>;
  /** Reservations that expired at `now` (milliseconds since the epoch) or before, at most `limit`. */
  expired(teamId: string, now: number, limit: number): Promise<Reservation[]>;
  /** Totals of members from one day to another, both included, behind a place among them. */
  totals(
    teamId: string,
    range: { from: string; to: string; after: UsagePosition | undefined; limit: number },
  ): Promise<UsageTotal[]>;
}
