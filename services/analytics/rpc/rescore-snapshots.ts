import type { MethodImpl } from '@connectrpc/connect';
import type { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import { rescoreSnapshots } from '../domain/rescore.ts';
import type { SnapshotStore } from '../domain/snapshot-store.ts';
import { rescoredPageToProto, rescorePageFromProto } from './rescore-page-proto.ts';

/** Answers RescoreSnapshots. */
export function rescoreSnapshotsHandler(dependencies: {
  snapshots: SnapshotStore;
}): MethodImpl<typeof AnalyticsService.method.rescoreSnapshots> {
  return async (request, context) => {
    requireAdministrator(context);
    const page = rescorePageFromProto(request);
    return rescoredPageToProto(await rescoreSnapshots(dependencies, request.teamId, page));
  };
}
