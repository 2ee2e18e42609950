import { randomUUID } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { costOf, type ModelPrice, type Prices } from './prices.ts';
import type { TokenUsage } from './usage.ts';
import { dayOf, endOfDay } from './usage-day.ts';
import type { CapRefusal, Caps, Reservation, UsageStore } from './usage-store.ts';
import type { Sweep } from './usage-sweep.ts';

/** Five times the longest answer, so that no reservation expires under a call that still runs. */
const reservationLifetimeMs = 10 * 60_000;
/** More calls of one team than a machine can stream at once; an entry each is kept in the team's row. */
const openReservationsMax = 5_000;
/** What costs nothing is allowed whatever was spent. */
const noCaps: Caps = { member: Number.POSITIVE_INFINITY, team: Number.POSITIVE_INFINITY };

/** Who pays for a call: the member who asked, and the team with them. */
export interface Payer {
  teamId: string;
  /** Absent for calls in the name of the team, which the team's cap alone limits. */
  memberId?: string;
}

/** What was reserved for one call. The first call of either method counts; later ones share its outcome. */
export interface Charge {
  /**
   * Replaces the reservation by what the call used, also where it ended early.
   * A usage that cannot be, above the worst case or no whole numbers, counts as
   * the worst case.
   * @throws AppError `unavailable`; the reservation then stands until it is swept.
   */
  settle(usage: TokenUsage): Promise<void>;
  /**
   * Gives the whole reservation back: the call never started.
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
        ...{ id: randomUUID(), day: dayOf(now), expiresAt: now + reservationLifetimeMs },
        ...{ memberId, model, worstCase, amount },
      };
      const limits = { ...capsOf(payer, amount), open: openReservationsMax };
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
