import type { BackupStore } from '@teammemory/backup/backup-store.ts';
import type { SchemaRecords } from '@teammemory/migrations/schema-version.ts';
import { sqliteBackupSection, sqliteRestoreRecords } from '@teammemory/sqlite/backup-tables.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import { wholeTeam } from '../domain/feed/quota.ts';
import { type ContentTables, contentSections, type FeedSource } from './backup-sections.ts';
import { rowFromTable, type TableRow } from './sqlite-feed-row.ts';
import { type FeedNames, feedNames } from './stored-feed.ts';
import { restoredWebhook, webhookTable } from './webhook-backup.ts';

/** Rows, and bytes of their JSON, of one part: a few milliseconds of the event loop. */
const rowsPerPart = 500;
const bytesPerPart = 2 ** 20;

/** What backup and restore need of content's file. */
export function sqliteBackup(
  database: SqliteDatabase,
  feeds: ContentTables['feeds'],
  schema: Pick<SchemaRecords, 'outdated'>,
): BackupStore {
  const webhooks = sqliteBackupSection(database, webhookTable);
  return {
    sections: contentSections({
      feeds,
      section: (table) => sqliteBackupSection(database, table),
      feedSection: (table) => sqliteBackupSection(database, table),
      source: (list) => feedSource(database, feedNames[list]),
      webhooks: { ...webhooks, restore: (rows) => webhooks.restore(rows.map(restoredWebhook)) },
      secret: sqliteBackupSection(database, {
        name: 'cursor_secret',
        fields: { id: 'number', key: 'bytes', earlier_until: 'number' },
        key: ['id'],
      }),
    }),
    records: sqliteRestoreRecords(database),
    async finish() {
      // Rows of a backup may have the form of the program that made it.
      await schema.outdated();
      for (const names of Object.values(feedNames)) await countAgain(database, names);
    },
  };
}

function feedSource(database: SqliteDatabase, { rows: table }: FeedNames): FeedSource {
  const after = database.prepare(`SELECT * FROM ${table} WHERE team_id = ? AND seq > ? ORDER BY seq LIMIT ?`);
  const head = database.prepare(`SELECT max(seq) AS seq FROM ${table} WHERE team_id = ?`);
  return {
    async part(teamId, afterSeq) {
      await new Promise((resolve) => setImmediate(resolve));
      const rows = [];
      let bytes = 0;
      for (const row of after.iterate(teamId, afterSeq, rowsPerPart) as Iterable<TableRow>) {
        rows.push(rowFromTable(row));
        bytes += row.json.length;
        if (bytes >= bytesPerPart) break;
      }
      // Nothing is written in between: SQLite works on this event loop.
      const { seq } = head.get(teamId) as { seq: number };
      const last = rows.at(-1)?.seq ?? afterSeq;
      return { rows, position: last === seq ? seq : undefined };
    },
  };
}

/** Counts what owners have, as `usageChanges` does with each write. */
async function countAgain(database: SqliteDatabase, { rows, usage }: FeedNames): Promise<void> {
  const sums = 'count(*), sum(bytes > 0), sum(bytes + kept_bytes)';
  const insert = `INSERT INTO ${usage} (team_id, owner, rows, items, bytes)`;
  await database.write(() => {
    database.prepare(`DELETE FROM ${usage}`).run();
    database
      .prepare(
        `${insert} SELECT team_id, owner, ${sums} FROM ${rows} WHERE owner <> ? GROUP BY team_id, owner`,
      )
      .run(wholeTeam);
    database
      .prepare(`${insert} SELECT team_id, ?, ${sums} FROM ${rows} WHERE owner IS NOT NULL GROUP BY team_id`)
      .run(wholeTeam);
  });
}
