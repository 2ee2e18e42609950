import type { MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import type { ItemStore } from '../domain/item-store.ts';
import { listDecisionVersions } from '../domain/list-decision-versions.ts';
import { decisionIdFromProto, decisionToProto } from './decision-proto.ts';
import { requireTeamWriter } from './team-writer.ts';
import { revisionFromToken, tokenFromRevision } from './version-token.ts';

/** Answers `ContentService.ListDecisionVersions`. */
export function listDecisionVersionsHandler(dependencies: {
  decisions: ItemStore;
}): MethodImpl<typeof ContentService.method.listDecisionVersions> {
  return async (request, context) => {
    const { teamId } = requireTeamWriter(context, request.teamId);
    const query = {
      decisionId: decisionIdFromProto(request.decisionId),
      beforeRevision: revisionFromToken(request.pageToken),
      limit: request.pageSize,
    };
    const { versions, nextRevision } = await listDecisionVersions(dependencies.decisions, teamId, query);
    return { versions: versions.map(decisionToProto), nextPageToken: tokenFromRevision(nextRevision) };
  };
}
