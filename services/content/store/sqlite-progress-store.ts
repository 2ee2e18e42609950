import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { Progress, ProgressStore, TeamChanges } from '../domain/feed/progress.ts';

/** The table of progress. Runs on every start. */
export const sqliteProgressSchema = `
  CREATE TABLE IF NOT EXISTS projection_places (
    team_id TEXT PRIMARY KEY,
    tasks_seq INTEGER NOT NULL,
    items_seq INTEGER NOT NULL,
    decisions_seq INTEGER NOT NULL,
    projects_version INTEGER NOT NULL DEFAULT 0,
    task_form INTEGER NOT NULL DEFAULT 0
  ) STRICT;
`;

/** Columns that tables of 0.1 lack. */
export const sqliteProgressColumns = ['task_form INTEGER NOT NULL DEFAULT 0'];

/** Stores progress in SQLite. `ProgressStore` says what each method promises. */
export function createSqliteProgressStore(database: SqliteDatabase): ProgressStore {
  const one = database.prepare('SELECT * FROM projection_places WHERE team_id = ?');
  const upsert = database.prepare(
    `INSERT INTO projection_places (team_id, tasks_seq, items_seq, decisions_seq, task_form) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (team_id) DO UPDATE SET tasks_seq = excluded.tasks_seq,
       items_seq = excluded.items_seq, decisions_seq = excluded.decisions_seq, task_form = excluded.task_form
     WHERE tasks_seq <= excluded.tasks_seq`,
  );
  const raise = database.prepare(
    `INSERT INTO projection_places (team_id, tasks_seq, items_seq, decisions_seq, projects_version) VALUES (?, 0, 0, 0, 1)
     ON CONFLICT (team_id) DO UPDATE SET projects_version = projects_version + 1`,
  );
  const many = database.prepare(
    `SELECT team_id AS teamId, tasks_seq + items_seq + decisions_seq + projects_version AS changes FROM projection_places
     WHERE team_id > ? ORDER BY team_id LIMIT ?`,
  );
  /** On its way to the disk, by team. Nobody waits for it: after a power loss the same is made again. */
  const coming = new Map<string, Progress>();
  return {
    async progress(teamId) {
      const row = one.get(teamId) as Record<string, number> | undefined;
      return {
        tasksSeq: row?.tasks_seq ?? 0,
        itemsSeq: row?.items_seq ?? 0,
        decisionsSeq: row?.decisions_seq ?? 0,
        taskForm: row?.task_form ?? 0,
        projectsVersion: row?.projects_version ?? 0,
        ...coming.get(teamId),
      };
    },
    async keep(teamId, { tasksSeq, itemsSeq, decisionsSeq, taskForm }) {
      // These alone: callers pass on what `progress` returned, and an old version of projects would hide the present one.
      const kept = { tasksSeq, itemsSeq, decisionsSeq, taskForm };
      if (tasksSeq < (coming.get(teamId)?.tasksSeq ?? 0)) return;
      coming.set(teamId, kept);
      database
        .writeWithReserve(() => void upsert.run(teamId, tasksSeq, itemsSeq, decisionsSeq, taskForm))
        // The next reader finds the progress before, and makes the same again.
        .catch(() => undefined)
        .finally(() => {
          if (coming.get(teamId) === kept) coming.delete(teamId);
        });
    },
    raiseProjectsVersion: (teamId) => database.writeWithReserve(() => void raise.run(teamId)),
    async all(afterTeamId, limit) {
      return many.all(afterTeamId, limit) as unknown as TeamChanges[];
    },
  };
}
