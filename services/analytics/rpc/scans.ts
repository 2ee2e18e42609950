import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { type AnalyticsService, PushScanRequestSchema } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import {
  requireAdministrator,
  requireGatewayCaller,
  requireWriteAccess,
} from '@teammemory/rpc/auth/caller-context.ts';
import { teamIdFromProto } from '@teammemory/rpc/request-fields.ts';
import type { CodebaseStore } from '../domain/codebases.ts';
import { explainScan, pushScan } from '../domain/push-scan.ts';
import { rescoreScans } from '../domain/rescore.ts';
import { checkScan } from '../domain/scan-rules.ts';
import type { ScanStore } from '../domain/scans.ts';
import { requireTeamCaller, teamOf } from './callers.ts';
import {
  explainedScanToProto,
  rescoredPageToProto,
  rescorePageFromProto,
  scanDraftFromProto,
} from './scans-proto.ts';

type Handlers = ServiceImpl<typeof AnalyticsService>;

interface Dependencies {
  /** Milliseconds since the epoch. */
  clock: () => number;
  codebases: CodebaseStore;
  scans: ScanStore;
}

/** Handles `PushScan`. */
export function pushScanHandler({ codebases, scans, clock }: Dependencies): Handlers['pushScan'] {
  return async (request, context) => {
    requireWriteAccess(requireGatewayCaller(context));
    const { teamId } = requireTeamCaller(context);
    const draft = scanDraftFromProto(request);
    if (request.validateOnly) {
      checkScan(draft);
      return {};
    }
    const { codebaseId, scanId, score } = await pushScan({ codebases, scans, clock }, teamId, draft);
    const counts = { contributions: draft.contributions.length, issues: draft.issues.length };
    return { codebaseId, metricsId: scanId, ...counts, agenticScore: score.score, parts: score.parts };
  };
}

/** Handles `ImportScan`. */
export function importScanHandler({ codebases, scans, clock }: Dependencies): Handlers['importScan'] {
  return async ({ teamId, scan }, context) => {
    requireAdministrator(context);
    const draft = scanDraftFromProto(scan ?? create(PushScanRequestSchema));
    await pushScan({ codebases, scans, clock }, teamIdFromProto(teamId), draft);
    return {};
  };
}

/** Handles `ExplainScan`. */
export function explainScanHandler({ codebases, scans }: Dependencies): Handlers['explainScan'] {
  return async (request, context) => {
    const teamId = teamOf(context, request.teamId);
    const explained = await explainScan({ codebases, scans }, teamId, request.codebaseSlug, request.headSha);
    return explainedScanToProto(explained);
  };
}

/** Handles `RescoreScans`. */
export function rescoreScansHandler({ scans }: Dependencies): Handlers['rescoreScans'] {
  return async (request, context) => {
    requireAdministrator(context);
    const page = rescorePageFromProto(request);
    return rescoredPageToProto(await rescoreScans({ scans }, teamIdFromProto(request.teamId), page));
  };
}
