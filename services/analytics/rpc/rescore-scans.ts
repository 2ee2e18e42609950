import type { MethodImpl } from '@connectrpc/connect';
import type { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import { rescoreScans } from '../domain/rescore.ts';
import type { ScanStore } from '../domain/scan-store.ts';
import { rescoredPageToProto, rescorePageFromProto } from './rescore-page-proto.ts';

/** Answers RescoreScans. */
export function rescoreScansHandler(dependencies: {
  scans: ScanStore;
}): MethodImpl<typeof AnalyticsService.method.rescoreScans> {
  return async (request, context) => {
    requireAdministrator(context);
    const page = rescorePageFromProto(request);
    return rescoredPageToProto(await rescoreScans(dependencies, request.teamId, page));
  };
}
