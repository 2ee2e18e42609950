import type { MethodImpl } from '@connectrpc/connect';
import type { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { CodebaseStore } from '../domain/codebase-store.ts';
import { explainScan } from '../domain/explain-scan.ts';
import type { ScanStore } from '../domain/scan-store.ts';
import { explainedScanToProto } from './scan-proto.ts';
import { teamOf } from './team-caller.ts';

/** Answers ExplainScan. */
export function explainScanHandler(dependencies: {
  codebases: CodebaseStore;
  scans: ScanStore;
}): MethodImpl<typeof AnalyticsService.method.explainScan> {
  return async (request, context) => {
    const teamId = teamOf(context, request.teamId);
    const explained = await explainScan(dependencies, teamId, request.codebaseSlug, request.headSha);
    return explainedScanToProto(explained);
  };
}
