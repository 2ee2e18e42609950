import { genesisHash, type StoredAuditEntry } from '@teammemory/audit/audit-entry.ts';
import type { AuditBounds, AuditStore } from '@teammemory/audit/audit-store.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/** Old entries that are removed in one transaction. */
const removedAtOnce = 1_000;

/** Statements that `createSqliteAuditStore` needs to have run. */
export function sqliteAuditSchema(service: string): string {
  return `
  CREATE TABLE IF NOT EXISTS ${service}_audit_entries (
    sequence INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    team_id TEXT,
    actor TEXT NOT NULL,
    text TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS ${service}_audit_entries_at ON ${service}_audit_entries (at, sequence);
  CREATE INDEX IF NOT EXISTS ${service}_audit_entries_team ON ${service}_audit_entries (team_id, sequence);
  CREATE INDEX IF NOT EXISTS ${service}_audit_entries_team_at ON ${service}_audit_entries (team_id, at, sequence);
  CREATE TABLE IF NOT EXISTS ${service}_audit_bounds (
    id TEXT PRIMARY KEY,
    first INTEGER NOT NULL,
    first_previous_hash TEXT NOT NULL,
    last INTEGER NOT NULL,
    last_hash TEXT NOT NULL,
    pruned_by INTEGER
  ) STRICT;
`;
}

/** Creates the audit store of a service, on the tables of `sqliteAuditSchema`. */
export function createSqliteAuditStore(database: SqliteDatabase, service: string): AuditStore {
  const entries = `${service}_audit_entries`;
  const bounds = `${service}_audit_bounds`;
  const columns = 'sequence, at, team_id AS teamId, actor, text, hash';
  const selectBounds = database.prepare(
    `SELECT first, first_previous_hash AS firstPreviousHash, last, last_hash AS lastHash, pruned_by AS prunedBy FROM ${bounds}`,
  );
  const selectNewest = database.prepare(`SELECT ${columns} FROM ${entries} ORDER BY sequence DESC LIMIT 1`);
  const selectSince = database.prepare(
    `SELECT ${columns} FROM ${entries} WHERE at >= ? ORDER BY sequence LIMIT 1`,
  );
  const selectOfTeam = database.prepare(
    `SELECT ${columns} FROM ${entries} WHERE team_id = ? AND at <= ? AND actor = ifnull(?, actor)
     ORDER BY at DESC, sequence DESC LIMIT ? OFFSET ?`,
  );
  const insert = database.prepare(
    `INSERT INTO ${entries} (sequence, at, team_id, actor, text, hash) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const moveEnd = database.prepare(
    `INSERT INTO ${bounds} (id, first, first_previous_hash, last, last_hash) VALUES ('log', 1, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET last = excluded.last, last_hash = excluded.last_hash`,
  );
  const moveBeginning = database.prepare(
    `UPDATE ${bounds} SET first = ?, first_previous_hash = ?, pruned_by = ?`,
  );
  const deleteBefore = database.prepare(
    `DELETE FROM ${entries} WHERE sequence IN
       (SELECT sequence FROM ${entries} WHERE sequence < ? ORDER BY sequence LIMIT ${removedAtOnce})`,
  );

  return {
    async bounds() {
      const found = selectBounds.get() as (AuditBounds & { prunedBy: number | null }) | undefined;
      return found && { ...found, prunedBy: found.prunedBy ?? undefined };
    },
    newest: async () => selectNewest.get() as StoredAuditEntry | undefined,

    append(appended, { reserve }) {
      const append = () => {
        const newest = selectNewest.get() as StoredAuditEntry | undefined;
        if ((appended[0]?.sequence ?? 0) <= (newest?.sequence ?? 0)) return 0;
        for (const { sequence, at, teamId, actor, text, hash } of appended)
          insert.run(sequence, at, teamId, actor, text, hash);
        const last = appended.at(-1);
        if (last !== undefined) moveEnd.run(genesisHash, last.sequence, last.hash);
        return appended.length;
      };
      return reserve === 'none' ? database.write(append) : database.writeWithReserve(append, reserve);
    },

    async list(after, limit, { teamId, actor, since } = {}) {
      const where = ['sequence > ?'];
      const values: (string | number)[] = [after];
      if (teamId !== undefined) {
        where.push('team_id = ?');
        values.push(teamId);
      }
      if (actor !== undefined) {
        where.push('actor = ?');
        values.push(actor);
      }
      if (since !== undefined) {
        where.push('at >= ?');
        values.push(since);
      }
      const select = database.prepare(
        `SELECT ${columns} FROM ${entries} WHERE ${where.join(' AND ')} ORDER BY sequence LIMIT ?`,
      );
      return select.all(...values, limit) as unknown as StoredAuditEntry[];
    },

    async listOfTeam(teamId, limit, { actor = null, shownTo }) {
      const { at = Number.MAX_SAFE_INTEGER, count = 0 } = shownTo ?? {};
      return selectOfTeam.all(teamId, at, actor, limit, count) as unknown as StoredAuditEntry[];
    },

    firstSince: async (at) => selectSince.get(at) as StoredAuditEntry | undefined,

    async removeBefore({ first, firstPreviousHash, prunedBy }) {
      await database.writeWithReserve(() => moveBeginning.run(first, firstPreviousHash, prunedBy));
      for (let removed = removedAtOnce; removed === removedAtOnce; )
        removed = Number((await database.writeWithReserve(() => deleteBefore.run(first))).changes);
    },
  };
}
