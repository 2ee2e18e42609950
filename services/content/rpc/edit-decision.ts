import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/caller-context.ts';
import { editDecision } from '../domain/edit-decision.ts';
import type { ItemStore } from '../domain/item-store.ts';
import type { ItemWriter } from '../domain/item-writer.ts';
import type { Projection } from '../domain/projection.ts';
import { administratorName, decisionEditFromProto, decisionToProto } from './decision-proto.ts';
import { teamIdFromProto } from './team-id-proto.ts';

/** Answers `ContentService.EditDecision`. */
export function editDecisionHandler(dependencies: {
  decisions: ItemStore;
  writer: ItemWriter;
  projection: Projection;
}): MethodImpl<typeof ContentService.method.editDecision> {
  return async (request, context) => {
    requireAdministrator(context);
    const teamId = teamIdFromProto(request.teamId);
    const edit = decisionEditFromProto(request);
    const decision = await editDecision(dependencies, teamId, administratorName, edit);
    dependencies.projection.nudge(teamId);
    return { decision: decisionToProto(decision) };
  };
}
