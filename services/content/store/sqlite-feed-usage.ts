import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { FeedChange, Recount, Usage } from '../domain/feed/feed-store.ts';
import { usageChanges, wholeTeam } from '../domain/feed/quota.ts';
import { type FeedNames, isSameUsage, type UsageColumns, usageFromColumns } from './stored-feed.ts';

type OwnerColumns = UsageColumns & { owner: string };

/** The counts of one feed. `add` and `recount` belong into a transaction. */
export interface SqliteFeedUsage {
  usage(teamId: string, owners: readonly string[]): Map<string, Usage>;
  add(teamId: string, changes: readonly FeedChange[]): void;
  /** Counts change in one transaction with their rows, so only an earlier program can have left them wrong. */
  recount(teamId: string): Recount;
}

/** Keeps the counts of a feed in SQLite. */
export function createSqliteFeedUsage(
  database: SqliteDatabase,
  { rows: table, usage: usageTable }: FeedNames,
): SqliteFeedUsage {
  const one = database.prepare(
    `SELECT rows, items, bytes FROM ${usageTable} WHERE team_id = ? AND owner = ?`,
  );
  const all = database.prepare(`SELECT owner, rows, items, bytes FROM ${usageTable} WHERE team_id = ?`);
  const add = database.prepare(
    `INSERT INTO ${usageTable} (team_id, owner, rows, items, bytes) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (team_id, owner) DO UPDATE SET rows = rows + excluded.rows, items = items + excluded.items,
       bytes = bytes + excluded.bytes`,
  );
  const drop = database.prepare(`DELETE FROM ${usageTable} WHERE team_id = ?`);
  const sums = 'count(*) AS rows, sum(bytes > 0) AS items, sum(bytes + kept_bytes) AS bytes';
  const ofRows = database.prepare(
    `SELECT owner, ${sums} FROM ${table} WHERE team_id = ?1 AND owner <> ?2 GROUP BY owner
     UNION ALL SELECT ?2, ${sums} FROM ${table} WHERE team_id = ?1 AND owner IS NOT NULL HAVING count(*) > 0`,
  );

  return {
    usage(teamId, owners) {
      const found = new Map<string, Usage>();
      for (const owner of owners) {
        const row = one.get(teamId, owner) as UsageColumns | undefined;
        if (row !== undefined) found.set(owner, usageFromColumns(row));
      }
      return found;
    },
    add(teamId, changes) {
      for (const [owner, { rows, texts, bytes }] of usageChanges(changes))
        add.run(teamId, owner, rows, texts, bytes);
    },
    recount(teamId) {
      const counted = ofRows.all(teamId, wholeTeam) as unknown as OwnerColumns[];
      const counts = new Map(counted.map((count) => [count.owner, count]));
      const stored = new Map(
        (all.all(teamId) as unknown as OwnerColumns[]).map((count) => [count.owner, count]),
      );
      const owners = [...counts.keys(), ...stored.keys()];
      if (owners.every((owner) => isSameUsage(stored.get(owner), counts.get(owner)))) return 'right';
      drop.run(teamId);
      for (const { owner, rows, items, bytes } of counted) add.run(teamId, owner, rows, items, bytes);
      return 'repaired';
    },
  };
}
