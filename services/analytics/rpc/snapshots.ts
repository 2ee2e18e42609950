import { create } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import {
  type AnalyticsService,
  type ExplainSnapshotRequest,
  PushSnapshotRequestSchema,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import {
  requireAdministrator,
  requireGatewayCaller,
  requireWriteAccess,
} from '@teammemory/rpc/auth/caller-context.ts';
import { teamIdFromProto } from '@teammemory/rpc/request-fields.ts';
import {
  explainSnapshot,
  importSnapshot,
  type MemberDirectory,
  placeSnapshot,
  pushSnapshot,
} from '../domain/push-snapshot.ts';
import { rescoreSnapshots } from '../domain/rescore.ts';
import { type RollupDependencies, rollup } from '../domain/rollup.ts';
import type { SnapshotStore } from '../domain/snapshots.ts';
import { requireTeamCaller, teamOf } from './callers.ts';
import { rescoredPageToProto, rescorePageFromProto } from './scans-proto.ts';
import {
  explainedSnapshotToProto,
  placementToProto,
  rollupToProto,
  snapshotDraftFromProto,
} from './snapshots-proto.ts';

type Handlers = ServiceImpl<typeof AnalyticsService>;

interface Dependencies {
  releases: RollupDependencies['releases'];
  /** Milliseconds since the epoch. */
  clock: () => number;
  snapshots: SnapshotStore;
  members: MemberDirectory;
}

/** Handles `PushSnapshot`. */
export function pushSnapshotHandler({ snapshots, members, clock }: Dependencies): Handlers['pushSnapshot'] {
  return async (request, context) => {
    requireWriteAccess(requireGatewayCaller(context));
    const caller = requireTeamCaller(context);
    const draft = snapshotDraftFromProto(request);
    if (request.validateOnly) {
      const { memberId, canonical } = await placeSnapshot({ members, clock }, caller, draft);
      return { memberId, canonical: placementToProto(canonical) };
    }
    const { snapshotId, memberId, canonical } = await pushSnapshot(
      { snapshots, members, clock },
      caller,
      draft,
    );
    return { snapshotId, memberId, canonical: placementToProto(canonical) };
  };
}

/** Handles `ImportSnapshot`. */
export function importSnapshotHandler({
  snapshots,
  members,
  clock,
}: Dependencies): Handlers['importSnapshot'] {
  return async ({ teamId, snapshot, counts }, context) => {
    requireAdministrator(context);
    const draft = snapshotDraftFromProto(snapshot ?? create(PushSnapshotRequestSchema));
    if (draft.member === '') throw new AppError('invalid_request', 'The snapshot names no member.');
    await importSnapshot({ snapshots, members, clock }, teamIdFromProto(teamId), draft, { counts });
    return {};
  };
}

/** Handles `ExplainSnapshot`. */
export function explainSnapshotHandler({ snapshots, members }: Dependencies): Handlers['explainSnapshot'] {
  return async (request, context) => {
    const { teamId, memberId } = await subjectOf(members, request, context);
    const { date, metric } = request;
    const explained = await explainSnapshot({ snapshots }, teamId, { memberId, date, metric });
    return explainedSnapshotToProto(explained);
  };
}

/** Whose snapshot it is: rollups hide a single member's figures, so this must not show them to others. */
export async function subjectOf(
  members: MemberDirectory,
  { teamId, member }: Pick<ExplainSnapshotRequest, 'teamId' | 'member'>,
  context: HandlerContext,
): Promise<{ teamId: string; memberId: string }> {
  if (teamId !== '') {
    requireAdministrator(context);
    return { teamId, memberId: (await members.find(teamIdFromProto(teamId), member)).memberId };
  }
  const caller = requireTeamCaller(context);
  if (member === '' || member.toLowerCase() === caller.memberHandle) return caller;
  throw new AppError('permission_denied', 'Members see their own snapshots only.');
}

/** Handles `RescoreSnapshots`. */
export function rescoreSnapshotsHandler({ snapshots }: Dependencies): Handlers['rescoreSnapshots'] {
  return async (request, context) => {
    requireAdministrator(context);
    const page = rescorePageFromProto(request);
    return rescoredPageToProto(await rescoreSnapshots({ snapshots }, teamIdFromProto(request.teamId), page));
  };
}

/** Handles `GetRollup`. */
export function getRollupHandler({ snapshots, releases, clock }: Dependencies): Handlers['getRollup'] {
  return async (request, context) => {
    const teamId = teamOf(context, request.teamId);
    return rollupToProto(await rollup({ snapshots, releases, clock }, teamId, request.weeks));
  };
}
