import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/caller-context.ts';
import { createDecision } from '../domain/create-decision.ts';
import type { ItemWriter } from '../domain/item-writer.ts';
import type { Projection } from '../domain/projection.ts';
import { administratorName, decisionFieldsFromProto, decisionToProto } from './decision-proto.ts';
import { teamIdFromProto } from './team-id-proto.ts';

/** Answers `ContentService.CreateDecision`. */
export function createDecisionHandler(dependencies: {
  writer: ItemWriter;
  projection: Projection;
}): MethodImpl<typeof ContentService.method.createDecision> {
  return async (request, context) => {
    requireAdministrator(context);
    const teamId = teamIdFromProto(request.teamId);
    const fields = decisionFieldsFromProto(request.decision);
    const decision = await createDecision(dependencies, teamId, administratorName, fields);
    dependencies.projection.nudge(teamId);
    return { decision: decisionToProto(decision) };
  };
}
