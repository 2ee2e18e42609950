import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { ScanStore } from '../domain/scans.ts';
import {
  oldestKept,
  type RatedScanRow,
  ratedScanFromRow,
  type ScanRow,
  scanFromRow,
  scanToRow,
} from './stored-rows.ts';

/** The tables and indexes that `createSqliteScanStore` uses. */
export const sqliteScanSchema = `
  CREATE TABLE IF NOT EXISTS scans (
    id TEXT PRIMARY KEY,
    team_id TEXT NOT NULL,
    codebase_id TEXT NOT NULL,
    head_sha TEXT NOT NULL,
    version INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    agentic_score REAL NOT NULL,
    metrics_json TEXT NOT NULL,
    contributions_json TEXT NOT NULL,
    issues_json TEXT NOT NULL,
    bytes INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (team_id, codebase_id, head_sha)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS scans_version ON scans (team_id, version, id);
  CREATE INDEX IF NOT EXISTS scans_age ON scans (team_id, codebase_id, id, bytes);`;

/** Creates the store of scans in an SQLite file. */
export function createSqliteScanStore(database: SqliteDatabase): ScanStore {
  const upsert = database.prepare(
    `INSERT INTO scans (team_id, id, codebase_id, head_sha, version, revision, agentic_score, metrics_json,
       contributions_json, issues_json, bytes, created_at, updated_at)
     VALUES (:team_id, :id, :codebase_id, :head_sha, :version, 1, :agentic_score, :metrics_json,
       :contributions_json, :issues_json, :bytes, :at, :at)
     ON CONFLICT (team_id, codebase_id, head_sha) DO UPDATE SET version = excluded.version,
       revision = revision + 1, agentic_score = excluded.agentic_score, metrics_json = excluded.metrics_json,
       contributions_json = excluded.contributions_json, issues_json = excluded.issues_json,
       bytes = excluded.bytes, updated_at = excluded.updated_at
     RETURNING id`,
  );
  const selectAges = database.prepare(
    'SELECT id, bytes FROM scans WHERE team_id = ? AND codebase_id = ? ORDER BY id DESC LIMIT ?',
  );
  const forget = database.prepare('DELETE FROM scans WHERE team_id = ? AND codebase_id = ? AND id < ?');
  const select = database.prepare(
    'SELECT * FROM scans WHERE team_id = ? AND codebase_id = ? AND head_sha = ?',
  );
  const selectOld = database.prepare(
    `SELECT id, version, revision, agentic_score, metrics_json FROM scans
     WHERE team_id = ? AND version < ? AND (version, id) > (?, ?) ORDER BY version, id LIMIT ?`,
  );
  const selectPage = database.prepare(
    `SELECT id, version, revision, agentic_score, metrics_json, created_at FROM scans
     WHERE team_id = ? AND codebase_id = ? AND (? = '' OR id < ?) ORDER BY id DESC LIMIT ?`,
  );
  const setScore = database.prepare(
    'UPDATE scans SET version = ?, agentic_score = ? WHERE team_id = ? AND id = ? AND revision = ?',
  );

  return {
    async put(teamId, scan, at) {
      const values = { team_id: teamId, id: scan.id, at, ...scanToRow(scan) };
      const row = await database.write(() => upsert.get(values));
      return (row as { id: string }).id;
    },

    async keepNewest(teamId, codebaseId, most) {
      const rows = selectAges.all(teamId, codebaseId, most.scans + 1) as {
        id: string;
        bytes: number | null;
      }[];
      const oldest = oldestKept(rows, most);
      if (oldest !== undefined) await database.write(() => forget.run(teamId, codebaseId, oldest.id));
    },

    async find(teamId, codebaseId, headSha) {
      const row = select.get(teamId, codebaseId, headSha) as (ScanRow & { id: string }) | undefined;
      return row && scanFromRow(row.id, row);
    },

    async list(teamId, codebaseId, beforeId, limit) {
      const rows = selectPage.all(teamId, codebaseId, beforeId, beforeId, limit);
      return (rows as unknown as (RatedScanRow & { id: string; created_at: number })[]).map((row) => ({
        ...ratedScanFromRow(row.id, row),
        createdAt: row.created_at,
      }));
    },

    async ratedBefore(teamId, version, after, limit) {
      const rows = selectOld.all(teamId, version, after.version, after.id, limit);
      return (rows as unknown as (RatedScanRow & { id: string })[]).map((row) =>
        ratedScanFromRow(row.id, row),
      );
    },

    rescore: (teamId, scans) =>
      database.write(() => {
        let rescored = 0;
        for (const { id, revision, version, agenticScore } of scans) {
          rescored += Number(setScore.run(version, agenticScore, teamId, id, revision).changes);
        }
        return rescored;
      }),
  };
}
