import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import type { ItemWriter } from '../domain/item-writer.ts';
import type { Projection } from '../domain/projection.ts';
import { removeDecision } from '../domain/remove-decision.ts';
import { decisionIdFromProto } from './decision-proto.ts';
import { requireTeamWriter } from './team-writer.ts';

/** Answers `ContentService.RemoveDecision`. */
export function removeDecisionHandler(dependencies: {
  writer: ItemWriter;
  projection: Projection;
}): MethodImpl<typeof ContentService.method.removeDecision> {
  return async (request, context) => {
    const { teamId, by } = requireTeamWriter(context, request.teamId);
    await removeDecision(dependencies, teamId, by, decisionIdFromProto(request.decisionId));
    dependencies.projection.nudge(teamId);
    return {};
  };
}
