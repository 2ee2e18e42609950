import { randomUUID } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { costOf, type ModelPrice, microDollarsFrom, type Prices } from './prices.ts';
import {
  type CapRefusal,
  type Caps,
  dayOf,
  endOfDay,
  type Reservation,
  type TokenUsage,
  type UsageStore,
} from './usage-store.ts';

/**
 * The caps of the settings DAILY_MEMBER_CAP_USD and DAILY_TEAM_CAP_USD, exactly:
 * decimal amounts of US dollars, 0 for nothing that costs.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function capsFrom(decimals: { member: string; team: string }): Caps {
  return {
    member: capFrom('DAILY_MEMBER_CAP_USD', decimals.member),
    team: capFrom('DAILY_TEAM_CAP_USD', decimals.team),
  };
}

function capFrom(setting: string, decimal: string): number {
  const amount = microDollarsFrom(decimal);
  if (amount !== undefined) return amount;
  const rule = 'an amount of US dollars from 0 to 9999999, such as 2.5, with at most six decimals';
  throw new AppError('invalid_request', `Bad setting: ${setting} must be ${rule}.`);
}

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

/** Five times the longest answer, so that no reservation expires under a call that still runs. */
const reservationLifetimeMs = 10 * 60_000;
/** More calls of one team than a machine can stream at once; an entry each is kept in the team's row. */
const maxOpenReservations = 5_000;
/** Calls that cost nothing are allowed whatever was spent. */
const noCaps: Caps = { member: Number.POSITIVE_INFINITY, team: Number.POSITIVE_INFINITY };

/** Who pays for a call: the member who asked, and the team with them. */
export interface Payer {
  teamId: string;
  /** Absent for calls in the name of the team, which the team's cap alone limits. */
  memberId?: string;
}

/** The reservation for one call. The first call of either method counts; later ones share its outcome. */
export interface Charge {
  /**
   * Replaces the reservation by the cost of the call's usage, also if the call ended early. Impossible usage (above the
   * worst case, or not whole numbers) counts as the worst case.
   * @throws AppError `unavailable`; the reservation then stands until it is swept.
   */
  settle(usage: TokenUsage): Promise<void>;
  /**
   * Releases the whole reservation, because the call never started.
   * @throws AppError `unavailable`; the reservation then stands until it is swept.
   */
  release(): Promise<void>;
}

/** The money side of calls to models: nothing is called that was not reserved here first. */
export interface Spending {
  /**
   * Reserves the worst case of one call for the payer's team and member
   * together, or for neither. Tokens are whole numbers.
   * @throws AppError `daily_cap_exceeded` where it does not fit below both
   * caps, `unavailable` where the store cannot answer.
   */
  reserve(payer: Payer, model: string, worstCase: TokenUsage): Promise<Charge>;
}

/** Makes the one guard of the money. `clock` is milliseconds since the epoch. */
export function createSpending(options: {
  usage: UsageStore;
  sweep: Sweep;
  prices: Prices;
  caps: Caps;
  clock: () => number;
}): Spending {
  const { usage, sweep, prices, caps, clock } = options;

  function capsOf({ memberId }: Payer, amount: number): Caps {
    if (amount === 0) return noCaps;
    return memberId === undefined ? { ...caps, member: noCaps.member } : caps;
  }

  return {
    async reserve(payer, model, worstCase) {
      const { teamId, memberId = '' } = payer;
      const price = worstCase.outputTokens === 0 ? prices.ofReading(model) : prices.ofWriting(model);
      const amount = costOf(price, worstCase);
      const now = clock();
      await sweep(teamId, now);
      const reservation: Reservation = {
        id: randomUUID(),
        day: dayOf(now),
        expiresAt: now + reservationLifetimeMs,
        memberId,
        model,
        worstCase,
        amount,
      };
      const limits = { ...capsOf(payer, amount), open: maxOpenReservations };
      const refusal = await usage.reserve(teamId, reservation, limits);
      if (refusal !== undefined) throw capExceeded(refusal, caps, endOfDay(now));
      return chargeOf(usage, teamId, reservation, price);
    },
  };
}

function chargeOf(usage: UsageStore, teamId: string, reservation: Reservation, price: ModelPrice): Charge {
  let outcome: Promise<unknown> | undefined;
  return {
    async settle(reported) {
      const used = believable(reported, reservation, price) ? reported : reservation.worstCase;
      outcome ??= usage.settle(teamId, reservation, used, costOf(price, used));
      await outcome;
    },
    async release() {
      outcome ??= usage.release(teamId, reservation);
      await outcome;
    },
  };
}

/** The report comes from the provider; whatever it says, a cap holds. */
function believable(usage: TokenUsage, { amount, worstCase }: Reservation, price: ModelPrice): boolean {
  const counts = [usage.inputTokens, usage.outputTokens];
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0)) return false;
  // Also of a model that costs nothing: totals of what is boundless would be no exact numbers any more.
  return tokensOf(usage) <= tokensOf(worstCase) && costOf(price, usage) <= amount;
}

function tokensOf({ inputTokens, outputTokens }: TokenUsage): number {
  return inputTokens + outputTokens;
}

function capExceeded({ scope, spent }: CapRefusal, caps: Caps, resetAt: number): AppError {
  const message = `What is left of the ${scope}'s daily cap is less than this question can cost.`;
  return new AppError('daily_cap_exceeded', message, {
    dailyCap: { scope, capMicroDollars: caps[scope], spentMicroDollars: spent, resetAt },
  });
}
