import { join } from 'node:path';
import type { BackupStore } from '@teammemory/backup/backup-store.ts';
import { startMigrations } from '@teammemory/migrations/run-migrations.ts';
import type { StoreSchema } from '@teammemory/migrations/schema-version.ts';
import type { MongodbStorage, SqliteStorage, Storage } from '@teammemory/mongo/storage.ts';
import {
  sqliteBackupSection,
  sqliteRestoreRecords,
  sqliteRestoreSchema,
} from '@teammemory/sqlite/backup-tables.ts';
import { sqliteSchemaRecords } from '@teammemory/sqlite/schema-record.ts';
import { openSqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import type { CodebaseStore } from '../domain/codebases.ts';
import type { ReleaseStore } from '../domain/disclosure.ts';
import type { ScanStore } from '../domain/scans.ts';
import type { SnapshotStore } from '../domain/snapshots.ts';
import { backupTables } from './backup-tables.ts';
import { mongoScanSizes, sqliteScanSizes } from './scan-sizes.ts';
import { createSqliteCodebaseStore, sqliteCodebaseSchema } from './sqlite-codebase-store.ts';
import { createSqliteReleaseStore, sqliteReleaseSchema } from './sqlite-release-store.ts';
import { createSqliteScanStore, sqliteScanSchema } from './sqlite-scan-store.ts';
import { createSqliteSnapshotStore, sqliteSnapshotSchema } from './sqlite-snapshot-store.ts';

/** Exported again because `service.ts` may not import from a database library. */
export type { Storage };

/** The form of the stored data; docs/upgrading.md says when to raise it. */
const schema: StoreSchema = { store: 'analytics', version: 1, readableFrom: 0 };

/** Everything that the service stores. */
export interface AnalyticsStores {
  codebases: CodebaseStore;
  scans: ScanStore;
  snapshots: SnapshotStore;
  /** What rollups have published. */
  releases: ReleaseStore;
  /** Resolves when rows of earlier versions are in the form of this one. Nothing has to wait for it. */
  migrated: Promise<void>;
  /** What backup and restore read and write. */
  backup: BackupStore;
  /** Resolves when the database answers, else throws. */
  ready(): Promise<void>;
  /** Finishes waiting writes, then closes what was opened here. A MongoDB connection belongs to its owner. */
  close(): Promise<void>;
}

/** Opens the stores in either engine, creating what is missing. */
export function openAnalyticsStores(storage: Storage): Promise<AnalyticsStores> {
  return storage.engine === 'sqlite' ? openSqliteStores(storage) : openMongoStores(storage);
}

async function openSqliteStores({ directory, room, metrics, log }: SqliteStorage): Promise<AnalyticsStores> {
  const database = openSqliteDatabase({
    file: join(directory, 'analytics.sqlite'),
    version: schema,
    room,
    metrics,
    schema:
      sqliteCodebaseSchema +
      sqliteScanSchema +
      sqliteSnapshotSchema +
      sqliteReleaseSchema +
      sqliteRestoreSchema,
  });
  const records = sqliteSchemaRecords(database, schema);
  const migrations = startMigrations({
    schema,
    log,
    records,
    migrations: [sqliteScanSizes(database)],
  });
  return {
    migrated: migrations.settled,
    codebases: createSqliteCodebaseStore(database),
    scans: createSqliteScanStore(database),
    snapshots: createSqliteSnapshotStore(database),
    releases: createSqliteReleaseStore(database),
    backup: {
      sections: backupTables.map((table) => sqliteBackupSection(database, table)),
      records: sqliteRestoreRecords(database),
      // Rows of a backup may have the form of the program that made it.
      finish: records.outdated,
    },
    ready: database.ready,
    async close() {
      await migrations.close();
      await database.close();
    },
  };
}

async function openMongoStores({ connection, log }: MongodbStorage): Promise<AnalyticsStores> {
  const { openMongoSchema } = await import('@teammemory/mongo/schema-record.ts');
  const records = await openMongoSchema(connection, schema);
  const backup = await import('@teammemory/mongo/backup-tables.ts');
  // Imported here because the driver takes a good part of a start, and is not needed without a server.
  const [codebases, scans, snapshots, releases] = await Promise.all([
    import('./mongo-codebase-store.ts'),
    import('./mongo-scan-store.ts'),
    import('./mongo-snapshot-store.ts'),
    import('./mongo-release-store.ts'),
  ]);
  const opened = {
    codebases: await codebases.createMongoCodebaseStore(connection),
    scans: await scans.createMongoScanStore(connection),
    snapshots: await snapshots.createMongoSnapshotStore(connection),
    releases: await releases.createMongoReleaseStore(connection),
  };
  const migrations = startMigrations({
    schema,
    log,
    records,
    migrations: [mongoScanSizes(connection)],
  });
  return {
    ...opened,
    migrated: migrations.settled,
    backup: {
      sections: backupTables.map((table) => backup.mongoBackupSection(connection, table)),
      records: backup.mongoRestoreRecords(connection, 'analytics'),
      finish: records.outdated,
    },
    ready: connection.ping,
    close: migrations.close,
  };
}
