import type { HandlerContext, MethodImpl } from '@connectrpc/connect';
import { AppError } from '@teammemory/errors/app-error.ts';
import type {
  AnalyticsService,
  ExplainSnapshotRequest,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import { explainSnapshot } from '../domain/explain-snapshot.ts';
import type { MemberDirectory } from '../domain/member-directory.ts';
import type { SnapshotStore } from '../domain/snapshot-store.ts';
import { explainedSnapshotToProto } from './snapshot-proto.ts';
import { requireTeamCaller } from './team-caller.ts';

/** Answers ExplainSnapshot. */
export function explainSnapshotHandler(dependencies: {
  snapshots: SnapshotStore;
  members: MemberDirectory;
}): MethodImpl<typeof AnalyticsService.method.explainSnapshot> {
  return async (request, context) => {
    const { teamId, memberId } = await subjectOf(dependencies.members, request, context);
    const { date, metric } = request;
    const explained = await explainSnapshot(dependencies, teamId, { memberId, date, metric });
    return explainedSnapshotToProto(explained);
  };
}

/** Whose snapshot it is: rollups hide a single member's figures, so this must not show them to others. */
async function subjectOf(
  members: MemberDirectory,
  { teamId, member }: ExplainSnapshotRequest,
  context: HandlerContext,
): Promise<{ teamId: string; memberId: string }> {
  if (teamId !== '') {
    requireAdministrator(context);
    return { teamId, memberId: (await members.find(teamId, member)).memberId };
  }
  const caller = requireTeamCaller(context);
  if (member === '' || member.toLowerCase() === caller.memberHandle) return caller;
  throw new AppError('permission_denied', 'Members see their own snapshots only.');
}
