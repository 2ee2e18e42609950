import { AppError } from '@teammemory/errors/app-error.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type {
  CapRefusal,
  Caps,
  Limits,
  Reservation,
  UsageStore,
  UsageTotal,
} from '../domain/spending/usage-store.ts';

/** Statements that `createSqliteUsageStore` needs to have run. */
export const sqliteUsageSchema = `
  CREATE TABLE IF NOT EXISTS usage_days (
    team_id TEXT NOT NULL,
    day TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (scope IN ('team', 'member')),
    member_id TEXT NOT NULL,
    spent INTEGER NOT NULL,
    open INTEGER NOT NULL,
    PRIMARY KEY (team_id, day, scope, member_id)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS usage_reservations (
    team_id TEXT NOT NULL,
    id TEXT NOT NULL,
    day TEXT NOT NULL,
    member_id TEXT NOT NULL,
    model TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (team_id, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS usage_reservations_by_expiry ON usage_reservations (team_id, expires_at, id);
  CREATE TABLE IF NOT EXISTS usage_totals (
    team_id TEXT NOT NULL,
    day TEXT NOT NULL,
    member_id TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    PRIMARY KEY (team_id, day, member_id, model)
  ) STRICT;`;

type ReservationRow = Omit<Reservation, 'worstCase'> & { inputTokens: number; outputTokens: number };

/** Makes the store of usage in an SQLite file. What belongs together is one transaction. */
export function createSqliteUsageStore(database: SqliteDatabase): UsageStore {
  const selectDay = database.prepare(
    'SELECT spent, open FROM usage_days WHERE team_id = ? AND day = ? AND scope = ? AND member_id = ?',
  );
  const addToDay = database.prepare(
    `INSERT INTO usage_days (team_id, day, scope, member_id, spent, open) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (team_id, day, scope, member_id) DO UPDATE
     SET spent = spent + excluded.spent, open = open + excluded.open`,
  );
  const insert = database.prepare(
    `INSERT INTO usage_reservations
       (team_id, id, day, member_id, model, input_tokens, output_tokens, amount, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = database.prepare('DELETE FROM usage_reservations WHERE team_id = ? AND id = ?');
  const addToTotal = database.prepare(
    `INSERT INTO usage_totals (team_id, day, member_id, model, calls, input_tokens, output_tokens, cost)
     VALUES (?, ?, ?, ?, 1, ?, ?, ?)
     ON CONFLICT (team_id, day, member_id, model) DO UPDATE
     SET calls = calls + 1, input_tokens = input_tokens + excluded.input_tokens,
         output_tokens = output_tokens + excluded.output_tokens, cost = cost + excluded.cost`,
  );
  const selectExpired = database.prepare(
    `SELECT id, day, member_id AS memberId, model, input_tokens AS inputTokens, output_tokens AS outputTokens,
            amount, expires_at AS expiresAt
     FROM usage_reservations WHERE team_id = ? AND expires_at <= ? ORDER BY expires_at, id LIMIT ?`,
  );
  const selectTotals = database.prepare(
    `SELECT day, member_id AS memberId, model, calls, input_tokens AS inputTokens,
            output_tokens AS outputTokens, cost
     FROM usage_totals WHERE team_id = ? AND day BETWEEN ? AND ? AND (day, member_id, model) > (?, ?, ?)
       AND (? IS NULL OR member_id = ?)
     ORDER BY day, member_id, model LIMIT ?`,
  );

  const selectReserved = database.prepare(
    `SELECT coalesce(sum(amount), 0) AS reserved FROM usage_reservations
     WHERE team_id = ? AND day = ? AND (? IS NULL OR member_id = ?)`,
  );

  function refusalOf(teamId: string, reservation: Reservation, limits: Limits): CapRefusal | undefined {
    for (const [scope, memberId] of accountsOf(reservation)) {
      const row = selectDay.get(teamId, reservation.day, scope, memberId);
      const { spent, open } = (row ?? { spent: 0, open: 0 }) as { spent: number; open: number };
      if (spent + reservation.amount > limits[scope]) return { scope, spent };
      if (open >= limits.open) throw new AppError('unavailable', 'Too many calls to models are under way.');
    }
    return undefined;
  }

  /** Takes a reservation away and leaves `cost` of it spent; false where it is gone. */
  function close(teamId: string, reservation: Reservation, cost: number): boolean {
    if (remove.run(teamId, reservation.id).changes === 0) return false;
    for (const [scope, memberId] of accountsOf(reservation)) {
      addToDay.run(teamId, reservation.day, scope, memberId, cost - reservation.amount, -1);
    }
    return true;
  }

  return {
    reserve(teamId, reservation, limits) {
      return database.writeWithReserve(() => {
        const refusal = refusalOf(teamId, reservation, limits);
        if (refusal !== undefined) return refusal;
        const { id, day, memberId, model, worstCase, amount, expiresAt } = reservation;
        const { inputTokens, outputTokens } = worstCase;
        for (const [scope, holder] of accountsOf(reservation)) {
          addToDay.run(teamId, day, scope, holder, amount, 1);
        }
        insert.run(teamId, id, day, memberId, model, inputTokens, outputTokens, amount, expiresAt);
        return undefined;
      });
    },

    settle(teamId, reservation, { inputTokens, outputTokens }, cost) {
      return database.writeWithReserve(() => {
        const { day, memberId, model } = reservation;
        if (!close(teamId, reservation, cost)) return false;
        addToTotal.run(teamId, day, memberId, model, inputTokens, outputTokens, cost);
        return true;
      });
    },

    async release(teamId, reservation) {
      await database.writeWithReserve(() => close(teamId, reservation, 0));
    },

    async expired(teamId, now, limit) {
      const rows = selectExpired.all(teamId, now, limit) as unknown as ReservationRow[];
      return rows.map(({ inputTokens, outputTokens, ...row }) => {
        return { ...row, worstCase: { inputTokens, outputTokens } };
      });
    },

    async totals(teamId, { from, to, memberId: wanted = null, after, limit }) {
      const { day, memberId, model } = after ?? { day: '', memberId: '', model: '' };
      const rows = selectTotals.all(teamId, from, to, day, memberId, model, wanted, wanted, limit);
      return rows.map((row) => ({ ...row })) as unknown as UsageTotal[];
    },

    async standing(teamId, day, memberId) {
      const scope = memberId === undefined ? 'team' : 'member';
      const row = selectDay.get(teamId, day, scope, memberId ?? '') as { spent: number } | undefined;
      const only = memberId ?? null;
      const { reserved } = selectReserved.get(teamId, day, only, only) as { reserved: number };
      return { spent: (row?.spent ?? 0) - reserved, reserved };
    },
  };
}

/** The days that a reservation counts on, in the order in which their caps are asked. */
function accountsOf({ memberId }: Reservation): [scope: keyof Caps, memberId: string][] {
  return [
    ['member', memberId],
    ['team', ''],
  ];
}
