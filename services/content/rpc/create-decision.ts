import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { createDecision } from '../domain/create-decision.ts';
import type { ItemWriter } from '../domain/item-writer.ts';
import type { Projection } from '../domain/projection.ts';
import { decisionFieldsFromProto, decisionToProto } from './decision-proto.ts';
import { requireTeamWriter } from './team-writer.ts';

/** Answers `ContentService.CreateDecision`. */
export function createDecisionHandler(dependencies: {
  writer: ItemWriter;
  projection: Projection;
}): MethodImpl<typeof ContentService.method.createDecision> {
  return async (request, context) => {
    const { teamId, by } = requireTeamWriter(context, request.teamId);
    const fields = decisionFieldsFromProto(request.decision);
    const decision = await createDecision(dependencies, teamId, by, fields);
    dependencies.projection.nudge(teamId);
    return { decision: decisionToProto(decision) };
  };
}
