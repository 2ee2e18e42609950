import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { SnapshotStore } from '../domain/snapshots.ts';
import {
  countedFromJson,
  countedToJson,
  placementToRow,
  type SnapshotRow,
  snapshotFromRow,
  snapshotToRow,
} from './stored-rows.ts';

/** The tables and indexes that `createSqliteSnapshotStore` uses. */
export const sqliteSnapshotSchema = `
  CREATE TABLE IF NOT EXISTS snapshots (
    id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    date TEXT NOT NULL,
    metric TEXT NOT NULL,
    window_days INTEGER NOT NULL,
    sessions INTEGER NOT NULL,
    tasks INTEGER NOT NULL,
    signals_json TEXT NOT NULL,
    provisional_json TEXT,
    version INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    spine TEXT NOT NULL,
    axes_json TEXT NOT NULL,
    counted_json TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (team_id, member_id, date, metric)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS snapshots_day ON snapshots (team_id, metric, date, id);
  CREATE INDEX IF NOT EXISTS snapshots_version ON snapshots (team_id, version, id);`;

/** Creates the store of snapshots in an SQLite file. */
export function createSqliteSnapshotStore(database: SqliteDatabase): SnapshotStore {
  const upsert = database.prepare(
    `INSERT INTO snapshots (team_id, id, member_id, date, metric, window_days, sessions, tasks, signals_json,
       provisional_json, version, revision, spine, axes_json, counted_json, created_at, updated_at)
     VALUES (:team_id, :id, :member_id, :date, :metric, :window_days, :sessions, :tasks, :signals_json,
       :provisional_json, :version, 1, :spine, :axes_json, :counted_json, :at, :at)
     ON CONFLICT (team_id, member_id, date, metric) DO UPDATE SET window_days = excluded.window_days,
       sessions = excluded.sessions, tasks = excluded.tasks, signals_json = excluded.signals_json,
       provisional_json = excluded.provisional_json, version = excluded.version, revision = revision + 1,
       spine = excluded.spine, axes_json = excluded.axes_json, updated_at = excluded.updated_at,
       counted_json = coalesce(excluded.counted_json, counted_json)
     RETURNING id`,
  );
  const select = database.prepare(
    'SELECT * FROM snapshots WHERE team_id = ? AND member_id = ? AND date = ? AND metric = ?',
  );
  const selectDays = database.prepare(
    `SELECT id, member_id AS memberId, date, counted_json FROM snapshots
     WHERE team_id = ? AND metric = ? AND (date, id) > (?, ?) AND date <= ? AND counted_json IS NOT NULL
     ORDER BY date, id LIMIT ?`,
  );
  const countOfMember = database.prepare(
    `SELECT count(*) AS rows FROM (SELECT 1 FROM snapshots WHERE team_id = ? AND member_id = ? LIMIT ?)`,
  );
  const selectPage = database.prepare(
    `SELECT * FROM snapshots WHERE team_id = ? AND member_id = ? AND metric = ? AND (? = '' OR date < ?)
     ORDER BY date DESC LIMIT ?`,
  );
  const selectOld = database.prepare(
    `SELECT * FROM snapshots WHERE team_id = ? AND version < ? AND (version, id) > (?, ?)
     ORDER BY version, id LIMIT ?`,
  );
  const setPlacement = database.prepare(
    'UPDATE snapshots SET version = ?, spine = ?, axes_json = ? WHERE team_id = ? AND id = ? AND revision = ?',
  );

  return {
    put: (teamId, snapshot, { at, counts, maxOfMember }) =>
      database.write(() => {
        const { memberId, date, metric } = snapshot;
        const isNew = select.get(teamId, memberId, date, metric) === undefined;
        if (isNew && countOfMember.get(teamId, memberId, maxOfMember)?.rows === maxOfMember) return undefined;
        const counted_json = counts ? countedToJson(snapshot) : null;
        const values = { team_id: teamId, id: snapshot.id, at, counted_json, ...snapshotToRow(snapshot) };
        return (upsert.get(values) as { id: string }).id;
      }),

    async find(teamId, { memberId, date, metric }) {
      const row = select.get(teamId, memberId, date, metric) as StoredRow | undefined;
      return row && snapshotFromRow(row.id, row);
    },

    async list(teamId, { memberId, metric }, beforeDate, limit) {
      const rows = selectPage.all(teamId, memberId, metric, beforeDate, beforeDate, limit);
      return (rows as unknown as StoredRow[]).map((row) => snapshotFromRow(row.id, row));
    },

    async counted(teamId, { metric, to, after, limit }) {
      const rows = selectDays.all(teamId, metric, after.date, after.id, to, limit);
      return (rows as unknown as DayRow[]).map(({ id, memberId, date, counted_json }) => {
        return { id, memberId, date, measured: countedFromJson(counted_json) };
      });
    },

    async ratedBefore(teamId, version, after, limit) {
      const rows = selectOld.all(teamId, version, after.version, after.id, limit);
      return (rows as unknown as StoredRow[]).map((row) => snapshotFromRow(row.id, row));
    },

    rescore: (teamId, snapshots) =>
      database.write(() => {
        let rescored = 0;
        for (const { id, revision, version, canonical } of snapshots) {
          const { spine, axes_json } = placementToRow(canonical);
          rescored += Number(setPlacement.run(version, spine, axes_json, teamId, id, revision).changes);
        }
        return rescored;
      }),
  };
}

type StoredRow = SnapshotRow & { id: string };
type DayRow = { id: string; memberId: string; date: string; counted_json: string };
