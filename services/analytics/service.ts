import type { Transport } from '@connectrpc/connect';
import { AnalyticsService as descriptor } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { type RpcService, rpcService } from '@teammemory/rpc/server/rpc-service.ts';
import { createAuthMemberDirectory } from './rpc/auth-member-directory.ts';
import { explainScanHandler } from './rpc/explain-scan.ts';
import { explainSnapshotHandler } from './rpc/explain-snapshot.ts';
import { getRollupHandler } from './rpc/get-rollup.ts';
import { pushScanHandler } from './rpc/push-scan.ts';
import { pushSnapshotHandler } from './rpc/push-snapshot.ts';
import { rescoreScansHandler } from './rpc/rescore-scans.ts';
import { rescoreSnapshotsHandler } from './rpc/rescore-snapshots.ts';
import { openAnalyticsStores, type Storage } from './store/open-stores.ts';

export interface AnalyticsServiceOptions {
  /** Where codebases, scans and snapshots are kept. */
  storage: Storage;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Reaches the auth service, which knows the members. */
  authTransport: Transport;
  /** A token for calls to that service, with the scope auth:read. */
  serviceToken: (audience: 'auth') => Promise<string>;
}

export interface AnalyticsService {
  /** The interface with its handlers, to be served or called directly. */
  rpc: RpcService;
  /** Throws where the stores cannot answer. */
  ready(): Promise<void>;
  /** Ends what is under way and closes the stores. To be called once, after the last call. */
  close(): Promise<void>;
}

/** Assembles the analytics service. Throws what opening its stores throws. */
export async function createAnalyticsService(options: AnalyticsServiceOptions): Promise<AnalyticsService> {
  const { storage, clock, authTransport: transport, serviceToken } = options;
  const stores = await openAnalyticsStores(storage);
  const uses = { ...stores, clock, members: createAuthMemberDirectory({ transport, serviceToken }) };

  return {
    rpc: rpcService(descriptor, {
      pushScan: pushScanHandler(uses),
      pushSnapshot: pushSnapshotHandler(uses),
      explainScan: explainScanHandler(uses),
      explainSnapshot: explainSnapshotHandler(uses),
      getRollup: getRollupHandler(uses),
      rescoreScans: rescoreScansHandler(uses),
      rescoreSnapshots: rescoreSnapshotsHandler(uses),
    }),
    ready: stores.ready,
    close: stores.close,
  };
}
