import type { MethodImpl } from '@connectrpc/connect';
import type { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { requireGatewayCaller } from '@teammemory/rpc/auth/caller-context.ts';
import { type PushScanDependencies, pushScan } from '../domain/push-scan.ts';
import { checkScan } from '../domain/scan-rules.ts';
import { scanDraftFromProto } from './scan-proto.ts';
import { requireTeamCaller } from './team-caller.ts';

/** Answers PushScan. */
export function pushScanHandler(
  dependencies: PushScanDependencies,
): MethodImpl<typeof AnalyticsService.method.pushScan> {
  return async (request, context) => {
    requireGatewayCaller(context);
    const { teamId } = requireTeamCaller(context);
    const draft = scanDraftFromProto(request);
    if (request.validateOnly) {
      checkScan(draft);
      return {};
    }
    const { codebaseId, scanId, agenticScore } = await pushScan(dependencies, teamId, draft);
    const counts = { contributions: draft.contributions.length, issues: draft.issues.length };
    return { codebaseId, metricsId: scanId, ...counts, agenticScore };
  };
}
