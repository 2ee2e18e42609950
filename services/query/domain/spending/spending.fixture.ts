import { AppError } from '@teammemory/errors/app-error.ts';
import { createPrices } from './prices.ts';
import { createSpending, createSweep, type Spending } from './spending.ts';
import type { Caps, Reservation, UsageStore, UsageTotal } from './usage-store.ts';

/** One dollar a million tokens is one micro-dollar a token. */
export const modelPrices = JSON.stringify({
  writer: { input: 1, output: 1 },
  free: { input: 0, output: 0 },
  embedder: { input: 0.02 },
});

/** The noon that `spendingOn` begins at. */
export const noon = Date.parse('2026-11-21T12:00:00.000Z');

/** Spending with a clock that the test moves, and caps in micro-dollars. */
export function spendingOn(usage: UsageStore, caps: Caps): Spending & { time: { now: number } } {
  const time = { now: noon };
  const prices = createPrices(modelPrices);
  const sweep = createSweep(usage);
  return { time, ...createSpending({ usage, sweep, prices, caps, clock: () => time.now }) };
}

interface Team {
  /** Micro-dollars spent and held back, by day, and by day and member. */
  spent: Map<string, number>;
  open: Map<string, Reservation>;
  totals: Map<string, UsageTotal>;
}

/** A store in memory, for tests of the domain and as the model of the others; the contract suite holds for it too. */
export function usageStoreInMemory(): UsageStore {
  const teams = new Map<string, Team>();
  const teamOf = (teamId: string) =>
    teams.getOrInsertComputed(teamId, () => ({ spent: new Map(), open: new Map(), totals: new Map() }));

  /** Takes a reservation away and leaves `cost` of it spent; false where it is gone. */
  function close({ spent, open }: Team, { id }: Reservation, cost: number): boolean {
    const reservation = open.get(id);
    if (reservation === undefined) return false;
    open.delete(id);
    for (const key of keysOf(reservation)) spent.set(key, (spent.get(key) ?? 0) - reservation.amount + cost);
    return true;
  }

  return {
    async reserve(teamId, reservation, limits) {
      const { spent, open } = teamOf(teamId);
      const [memberKey, teamKey] = keysOf(reservation);
      const scopes: [keyof Caps, string][] = [
        ['member', memberKey],
        ['team', teamKey],
      ];
      for (const [scope, key] of scopes) {
        const already = spent.get(key) ?? 0;
        if (already + reservation.amount > limits[scope]) return { scope, spent: already };
        const openThere = [...open.values()].filter((other) => keysOf(other).includes(key));
        if (openThere.length >= limits.open) throw new AppError('unavailable', 'Too many are open.');
      }
      for (const [, key] of scopes) spent.set(key, (spent.get(key) ?? 0) + reservation.amount);
      open.set(reservation.id, structuredClone(reservation));
      return undefined;
    },

    async settle(teamId, reservation, { inputTokens, outputTokens }, cost) {
      const team = teamOf(teamId);
      if (!close(team, reservation, cost)) return false;
      const { day, memberId, model } = reservation;
      const none = { day, memberId, model, calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
      const total = team.totals.getOrInsert(JSON.stringify([day, memberId, model]), none);
      total.calls += 1;
      total.inputTokens += inputTokens;
      total.outputTokens += outputTokens;
      total.cost += cost;
      return true;
    },

    async release(teamId, reservation) {
      close(teamOf(teamId), reservation, 0);
    },

    async expired(teamId, now, limit) {
      const expired = [...teamOf(teamId).open.values()].filter(({ expiresAt }) => expiresAt <= now);
      return structuredClone(expired.sort(byExpiry).slice(0, limit));
    },

    async totals(teamId, { from, to, memberId, after, limit }) {
      const totals = [...teamOf(teamId).totals.values()]
        .filter((total) => total.day >= from && total.day <= to)
        .filter((total) => memberId === undefined || total.memberId === memberId)
        .filter((total) => after === undefined || compare(orderOf(total), orderOf(after)) > 0);
      totals.sort((left, right) => compare(orderOf(left), orderOf(right)));
      return structuredClone(totals.slice(0, limit));
    },

    async standing(teamId, day, memberId) {
      const { spent, open } = teamOf(teamId);
      const key = memberId === undefined ? day : JSON.stringify([day, memberId]);
      const reserved = [...open.values()]
        .filter((reservation) => keysOf(reservation).includes(key))
        .reduce((sum, { amount }) => sum + amount, 0);
      return { spent: (spent.get(key) ?? 0) - reserved, reserved };
    },
  };
}

function keysOf({ day, memberId }: Reservation): [member: string, team: string] {
  return [JSON.stringify([day, memberId]), day];
}

function byExpiry(left: Reservation, right: Reservation): number {
  return left.expiresAt - right.expiresAt || compare([left.id], [right.id]);
}

function orderOf({ day, memberId, model }: Pick<UsageTotal, 'day' | 'memberId' | 'model'>): string[] {
  return [day, memberId, model];
}

/** Compares lists of texts by their bytes in UTF-8, as both engines do. */
function compare(left: readonly string[], right: readonly string[]): number {
  const differences = left.map((text, index) =>
    Buffer.compare(Buffer.from(text), Buffer.from(right[index] ?? '')),
  );
  return differences.find((difference) => difference !== 0) ?? 0;
}
