import type { HandlerContext, MethodImpl } from '@connectrpc/connect';
import type { ContentService } from '@teammemory/proto/content/v1/content_pb.ts';
import { principalKey, requireCaller } from '@teammemory/rpc/auth/caller-context.ts';
import type { Cursors } from '../domain/cursor.ts';
import type { ItemStore } from '../domain/item-store.ts';
import { listItems, readyPage } from '../domain/list-items.ts';
import type { Tier } from '../domain/tier.ts';
import { pageQueryFromProto, pageToProto } from './page-proto.ts';
import { teamIdFromProto } from './team-id-proto.ts';

/** Answers `ContentService.ListDecisions`; administrators read what team-tier keys do. */
export function listDecisionsHandler(dependencies: {
  decisions: ItemStore;
  cursors: Cursors;
}): MethodImpl<typeof ContentService.method.listDecisions> {
  const { decisions, cursors } = dependencies;
  return async (request, context) => {
    const reader = readerFrom(context, request.teamId);
    const query = pageQueryFromProto(request.page);
    const page = await listItems({ items: decisions, cursors }, reader, query, 'decisions');
    return { page: pageToProto(readyPage(page, 'decision_id')) };
  };
}

function readerFrom(context: HandlerContext, teamId: string): { teamId: string; tier: Tier } {
  if (context.values.get(principalKey)?.kind === 'administrator') {
    return { teamId: teamIdFromProto(teamId), tier: 'team' };
  }
  const { teamId: own, tier } = requireCaller(context);
  return { teamId: own, tier };
}
