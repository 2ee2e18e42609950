import type { MethodImpl } from '@connectrpc/connect';
import type { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { requireGatewayCaller } from '@teammemory/rpc/auth/caller-context.ts';
import { type PushSnapshotDependencies, placeSnapshot, pushSnapshot } from '../domain/push-snapshot.ts';
import { placementToProto, snapshotDraftFromProto } from './snapshot-proto.ts';
import { requireTeamCaller } from './team-caller.ts';

/** Answers PushSnapshot. */
export function pushSnapshotHandler(
  dependencies: PushSnapshotDependencies,
): MethodImpl<typeof AnalyticsService.method.pushSnapshot> {
  return async (request, context) => {
    requireGatewayCaller(context);
    const caller = requireTeamCaller(context);
    const draft = snapshotDraftFromProto(request);
    if (request.validateOnly) {
      const { memberId, canonical } = await placeSnapshot(dependencies, caller, draft);
      return { memberId, canonical: placementToProto(canonical) };
    }
    const { snapshotId, memberId, canonical } = await pushSnapshot(dependencies, caller, draft);
    return { snapshotId, memberId, canonical: placementToProto(canonical) };
  };
}
