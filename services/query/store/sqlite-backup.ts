import type { BackupStore } from '@teammemory/backup/backup-store.ts';
import { sqliteBackupSection, sqliteRestoreRecords } from '@teammemory/sqlite/backup-tables.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import { embeddingTable, ratingTable, usageDayTable, usageTotalTable } from './backup-tables.ts';

/** Days without what is reserved, for the backup to read. */
export const sqliteSettledDays = `
  CREATE TEMP VIEW IF NOT EXISTS settled_days AS
    SELECT team_id, day, scope, member_id, 0 AS open,
      spent - (
        SELECT coalesce(sum(amount), 0) FROM usage_reservations AS r
        WHERE r.team_id = d.team_id AND r.day = d.day AND (d.scope = 'team' OR r.member_id = d.member_id)
      ) AS spent
    FROM usage_days AS d;`;

/** What backup and restore need of query's file. */
export function sqliteBackup(database: SqliteDatabase): BackupStore {
  const days = sqliteBackupSection(database, usageDayTable);
  const settled = sqliteBackupSection(database, { ...usageDayTable, name: 'settled_days' });
  return {
    sections: [
      sqliteBackupSection(database, embeddingTable),
      { ...days, read: settled.read },
      sqliteBackupSection(database, usageTotalTable),
      sqliteBackupSection(database, ratingTable),
    ],
    records: sqliteRestoreRecords(database),
  };
}
