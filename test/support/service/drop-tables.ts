import { globSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { RunningService } from './running-service.ts';

/** Takes all tables but those of keys away from under a running program on SQLite: a fault that nobody foresaw. */
export function dropTables({ dataDirectory }: Pick<RunningService, 'dataDirectory'>): void {
  for (const file of globSync(`${dataDirectory}/*.sqlite`)) {
    if (file.endsWith('auth.sqlite')) continue;
    // The program may be writing at this moment.
    const database = new DatabaseSync(file, { timeout: 5_000 });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) database.exec(`DROP TABLE "${name}"`);
    database.close();
  }
}
