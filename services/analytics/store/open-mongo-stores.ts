import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { AnalyticsStores } from './analytics-stores.ts';
import { openMongoCodebaseStore } from './mongo-codebase-store.ts';
import { openMongoReleaseStore } from './mongo-release-store.ts';
import { openMongoScanStore } from './mongo-scan-store.ts';
import { openMongoSnapshotStore } from './mongo-snapshot-store.ts';

/** Opens the analytics service's stores in MongoDB, creating what is missing. */
export async function openMongoAnalyticsStores(connection: MongoConnection): Promise<AnalyticsStores> {
  return {
    codebases: await openMongoCodebaseStore(connection),
    scans: await openMongoScanStore(connection),
    snapshots: await openMongoSnapshotStore(connection),
    releases: await openMongoReleaseStore(connection),
    ready: () => connection.ping(),
    async close() {},
  };
}
