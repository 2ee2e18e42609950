import { join } from 'node:path';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { SqliteStorage, Storage } from '@teammemory/mongo/storage.ts';
import { openSqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { CodebaseStore } from '../domain/codebases.ts';
import type { ReleaseStore } from '../domain/disclosure.ts';
import type { ScanStore } from '../domain/scans.ts';
import type { SnapshotStore } from '../domain/snapshots.ts';
import { createSqliteCodebaseStore, sqliteCodebaseSchema } from './sqlite-codebase-store.ts';
import { createSqliteReleaseStore, sqliteReleaseSchema } from './sqlite-release-store.ts';
import { createSqliteScanStore, sqliteScanColumns, sqliteScanSchema } from './sqlite-scan-store.ts';
import {
  createSqliteSnapshotStore,
  sqliteSnapshotColumns,
  sqliteSnapshotSchema,
} from './sqlite-snapshot-store.ts';

/** Exported again because `service.ts` may not import from a database library. */
export type { Storage };

/** Everything that the service stores. */
export interface AnalyticsStores {
  codebases: CodebaseStore;
  scans: ScanStore;
  snapshots: SnapshotStore;
  /** What rollups have published. */
  releases: ReleaseStore;
  /** Resolves when the database answers, else throws. */
  ready(): Promise<void>;
  /** Finishes waiting writes, then closes what was opened here. A MongoDB connection belongs to its owner. */
  close(): Promise<void>;
}

/** Opens the stores in either engine, creating what is missing. */
export function openAnalyticsStores(storage: Storage): Promise<AnalyticsStores> {
  return storage.engine === 'sqlite' ? openSqliteStores(storage) : openMongoStores(storage.connection);
}

async function openSqliteStores({ directory, metrics }: SqliteStorage): Promise<AnalyticsStores> {
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
    ready: database.ready,
    close: database.close,
  };
}

async function openMongoStores(connection: MongoConnection): Promise<AnalyticsStores> {
  // Imported here because the driver takes a good part of a start, and is not needed without a server.
  const [codebases, scans, snapshots, releases] = await Promise.all([
    import('./mongo-codebase-store.ts'),
    import('./mongo-scan-store.ts'),
    import('./mongo-snapshot-store.ts'),
    import('./mongo-release-store.ts'),
  ]);
  return {
    codebases: await codebases.createMongoCodebaseStore(connection),
    scans: await scans.createMongoScanStore(connection),
    snapshots: await snapshots.createMongoSnapshotStore(connection),
    releases: await releases.createMongoReleaseStore(connection),
    ready: connection.ping,
    close: async () => undefined,
  };
}
