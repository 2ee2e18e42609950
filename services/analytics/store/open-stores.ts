import { join } from 'node:path';
import type { Storage } from '@teammemory/mongo/storage.ts';
import { openSqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { AnalyticsStores } from './analytics-stores.ts';
import { createSqliteCodebaseStore, sqliteCodebaseSchema } from './sqlite-codebase-store.ts';
import { createSqliteReleaseStore, sqliteReleaseSchema } from './sqlite-release-store.ts';
import { createSqliteScanStore, sqliteScanColumns, sqliteScanSchema } from './sqlite-scan-store.ts';
import {
  createSqliteSnapshotStore,
  sqliteSnapshotColumns,
  sqliteSnapshotSchema,
} from './sqlite-snapshot-store.ts';

export type { Storage };

/** Opens the stores in either engine, creating what is missing. The only place that knows both. */
export async function openAnalyticsStores(storage: Storage): Promise<AnalyticsStores> {
  if (storage.engine === 'sqlite') return openSqlite(storage);
  // The driver is a good part of a start, and of no use without a server.
  const { openMongoAnalyticsStores } = await import('./open-mongo-stores.ts');
  return openMongoAnalyticsStores(storage.connection);
}

async function openSqlite({
  directory,
  metrics,
}: Extract<Storage, { engine: 'sqlite' }>): Promise<AnalyticsStores> {
  const database = openSqliteDatabase({
    file: join(directory, 'analytics.sqlite'),
    metrics,
    schema: sqliteCodebaseSchema + sqliteScanSchema + sqliteSnapshotSchema + sqliteReleaseSchema,
    addedColumns: { scans: sqliteScanColumns, snapshots: sqliteSnapshotColumns },
  });
  return {
    codebases: createSqliteCodebaseStore(database),
    scans: createSqliteScanStore(database),
    snapshots: createSqliteSnapshotStore(database),
    releases: createSqliteReleaseStore(database),
    async ready() {
      database.prepare('SELECT 1').get();
    },
    close: () => database.close(),
  };
}
