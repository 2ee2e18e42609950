import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { findDecision } from '../domain/find-decision.ts';
import type { ItemStore } from '../domain/item-store.ts';
import { decisionFromRow } from '../domain/team-decision.ts';
import { decisionIdFromProto, decisionToProto } from './decision-proto.ts';
import { requireTeamWriter } from './team-writer.ts';

/** Answers `ContentService.GetDecision`. */
export function getDecisionHandler(dependencies: {
  decisions: ItemStore;
}): MethodImpl<typeof ContentService.method.getDecision> {
  return async (request, context) => {
    const { teamId } = requireTeamWriter(context, request.teamId);
    const decisionId = decisionIdFromProto(request.decisionId);
    const row = await findDecision(dependencies.decisions, teamId, decisionId);
    return { decision: decisionToProto(decisionFromRow(row)) };
  };
}
