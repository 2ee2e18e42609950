import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { TaskIdStore } from '../domain/tasks/read-task.ts';
import { feedNames } from './stored-feed.ts';

const { rows } = feedNames.tasks;
const idIndex = `${rows}_id`;
/** The id within the key of a task's row: what follows its only line feed. */
const idOfKey = 'substr(row_key, instr(row_key, char(10)) + 1)';

/** The index of the ids of tasks. Runs on every start. */
export const sqliteTaskIdSchema = `
  CREATE INDEX IF NOT EXISTS ${idIndex} ON ${rows} (team_id, ${idOfKey});
`;

/** Finds tasks in SQLite. `TaskIdStore` says what each method promises. */
export function createSqliteTaskIdStore(database: SqliteDatabase): TaskIdStore {
  // Left to itself, SQLite looks through all keys of the team: their index has what is selected.
  const one = database.prepare(
    `SELECT row_key FROM ${rows} INDEXED BY ${idIndex} WHERE team_id = ? AND ${idOfKey} = ?`,
  );
  return {
    async rowKey(teamId, taskId) {
      const row = one.get(teamId, taskId) as { row_key: string } | undefined;
      return row?.row_key;
    },
  };
}
