import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import { endOfBeginning } from './key-range.ts';

/** Returns `FeedStore.keyPage` for the table of one feed. */
export function createSqliteKeyPage(database: SqliteDatabase, table: string): FeedStore['keyPage'] {
  const range = 'team_id = ? AND row_key >= ? AND row_key < ?';
  const statements = {
    team: database.prepare(
      `SELECT row_key, deleted FROM ${table} WHERE ${range} ORDER BY row_key LIMIT (? + 0)`,
    ),
    // This index has the rows that external keys see, and no others.
    external: database.prepare(
      `SELECT row_key, 0 AS deleted FROM ${table} INDEXED BY ${table}_external_keys
       WHERE ${range} AND deleted = 0 AND tier = 'external' ORDER BY row_key LIMIT (? + 0)`,
    ),
  };
  return async (teamId, tier, { beginning, from, limit }) => {
    const rows = statements[tier].all(teamId, from, endOfKeys(beginning), limit);
    return (rows as { row_key: string; deleted: number }[]).map(({ row_key, deleted }) => ({
      rowKey: row_key,
      isLive: deleted === 0,
    }));
  };
}

/** Returns what a key that begins with a text is below of. A blob, which comes after every text, is below of nothing. */
export function endOfKeys(beginning: string): string | Uint8Array {
  return endOfBeginning(beginning) ?? Uint8Array.of(0);
}
