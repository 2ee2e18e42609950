/** Tokens of one call to a model; embedding calls have no output. Whole numbers, not negative. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

/** A member's total for one model on one day. */
export interface UsageTotal {
  /** UTC, YYYY-MM-DD: the day on which the calls were reserved. */
  day: string;
  /** Empty for calls in the name of the team. */
  memberId: string;
  model: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Whole micro-dollars. */
  cost: number;
}

/** A cursor in a team's totals, which are ordered by day, member and model. */
export type UsagePosition = Pick<UsageTotal, 'day' | 'memberId' | 'model'>;

const millisecondsPerDay = 86_400_000;

/** The UTC day of a moment, YYYY-MM-DD. */
export function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** The moment at which the UTC day of another moment ends, in milliseconds since the epoch. */
export function endOfDay(milliseconds: number): number {
  return (Math.floor(milliseconds / millisecondsPerDay) + 1) * millisecondsPerDay;
}

/** The day so many days before another one. */
export function daysBefore(day: string, days: number): string {
  return dayOf(Date.parse(`${day}T00:00:00Z`) - days * millisecondsPerDay);
}

/** A part of a team's totals. */
export interface UsageRange {
  /** YYYY-MM-DD, included, as `to`. */
  from: string;
  to: string;
  /** Only this member's; undefined: those of all. */
  memberId?: string | undefined;
  after: UsagePosition | undefined;
  limit: number;
}

/** A day so far, in whole micro-dollars. */
export interface DayStanding {
  /** What calls that have ended cost. */
  spent: number;
  /** What is held back for calls in progress. */
  reserved: number;
}

/** An amount held back for one call until its cost is known. */
export interface Reservation {
  /** UUID. */
  id: string;
  /** UTC, YYYY-MM-DD; the call belongs to this day whenever it ends. */
  day: string;
  /** Empty for calls in the name of the team. */
  memberId: string;
  model: string;
  worstCase: TokenUsage;
  /** Cost of the worst case in whole micro-dollars. */
  amount: number;
  /** Milliseconds since the epoch; no call lasts so long. */
  expiresAt: number;
}

/** The most that a day may come to, in whole micro-dollars; Infinity for no limit. */
export interface Caps {
  member: number;
  team: number;
}

/** The limits of a reservation. */
export interface Limits extends Caps {
  /** Reservations that may be open at once on the day of a member or of a team. */
  open: number;
}

/** Why a reservation was not made: it would have taken a day past its cap. */
export interface CapRefusal {
  scope: keyof Caps;
  /** Spent and held back so far, in whole micro-dollars. */
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
   * Replaces a reservation by the cost of its call; returns false if the reservation is gone. If interrupted, it can be
   * repeated and completes the rest. Of several calls at once, one returns true.
   */
  settle(teamId: string, reservation: Reservation, usage: TokenUsage, cost: number): Promise<boolean>;
  /** Removes a reservation. Does nothing if it is gone, so it can be repeated. */
  release(teamId: string, reservation: Reservation): Promise<void>;
  /** Reservations that expired at `now` (milliseconds since the epoch) or before, at most `limit`. */
  expired(teamId: string, now: number, limit: number): Promise<Reservation[]>;
  /** Returns totals of members, or of one of them, between two days, both included, after a cursor. */
  totals(teamId: string, range: UsageRange): Promise<UsageTotal[]>;
  /** What was spent and is reserved on the day of a team, or of one of its members. */
  standing(teamId: string, day: string, memberId: string | undefined): Promise<DayStanding>;
}
