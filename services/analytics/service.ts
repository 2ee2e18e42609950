import type { Transport } from '@connectrpc/connect';
import { createRestore } from '@teammemory/backup/restore.ts';
import { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { backupHandlers } from '@teammemory/rpc/server/backup-handlers.ts';
import { rpcService, type ServiceInstance } from '@teammemory/rpc/server/rpc-service.ts';
import { createAuthMemberDirectory } from './rpc/auth-member-directory.ts';
import { listCodebasesHandler, listScansHandler, listSnapshotsHandler } from './rpc/lists.ts';
import { explainScanHandler, importScanHandler, pushScanHandler, rescoreScansHandler } from './rpc/scans.ts';
import {
  explainSnapshotHandler,
  getRollupHandler,
  importSnapshotHandler,
  pushSnapshotHandler,
  rescoreSnapshotsHandler,
} from './rpc/snapshots.ts';
import { openAnalyticsStores, type Storage } from './store/open-stores.ts';

export interface AnalyticsServiceOptions {
  /** Where codebases, scans and snapshots are stored. */
  storage: Storage;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Reaches the auth service, which knows the members. */
  authTransport: Transport;
  /** A token for calls to that service, with the scope auth:read. */
  serviceToken: (audience: 'auth') => Promise<string>;
}

/** Assembles the analytics service. Throws what opening its stores throws. */
export async function createAnalyticsService(options: AnalyticsServiceOptions): Promise<ServiceInstance> {
  const { storage, clock, authTransport: transport, serviceToken } = options;
  const stores = await openAnalyticsStores(storage);
  const restore = await createRestore(stores.backup);
  const dependencies = { ...stores, clock, members: createAuthMemberDirectory({ transport, serviceToken }) };

  return {
    rpc: rpcService(
      AnalyticsService,
      {
        ...backupHandlers(stores.backup, restore),
        pushScan: pushScanHandler(dependencies),
        pushSnapshot: pushSnapshotHandler(dependencies),
        importScan: importScanHandler(dependencies),
        importSnapshot: importSnapshotHandler(dependencies),
        explainScan: explainScanHandler(dependencies),
        explainSnapshot: explainSnapshotHandler(dependencies),
        listCodebases: listCodebasesHandler(dependencies),
        listScans: listScansHandler(dependencies),
        listSnapshots: listSnapshotsHandler(dependencies),
        getRollup: getRollupHandler(dependencies),
        rescoreScans: rescoreScansHandler(dependencies),
        rescoreSnapshots: rescoreSnapshotsHandler(dependencies),
      },
      { assertOpen: restore.assertOpen },
    ),
    async ready() {
      await stores.ready();
      await restore.ready();
    },
    close: stores.close,
  };
}
