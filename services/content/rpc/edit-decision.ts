import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { editDecision } from '../domain/edit-decision.ts';
import type { ItemStore } from '../domain/item-store.ts';
import type { ItemWriter } from '../domain/item-writer.ts';
import type { Projection } from '../domain/projection.ts';
import { decisionEditFromProto, decisionToProto } from './decision-proto.ts';
import { requireTeamWriter } from './team-writer.ts';

/** Answers `ContentService.EditDecision`. */
export function editDecisionHandler(dependencies: {
  decisions: ItemStore;
  writer: ItemWriter;
  projection: Projection;
}): MethodImpl<typeof ContentService.method.editDecision> {
  return async (request, context) => {
    const { teamId, by } = requireTeamWriter(context, request.teamId);
    const decision = await editDecision(dependencies, teamId, by, decisionEditFromProto(request));
    dependencies.projection.nudge(teamId);
    return { decision: decisionToProto(decision) };
  };
}
