import type { HandlerContext, MethodImpl } from '@connectrpc/connect';
import type { AcquirePermit } from '@teammemory/async/concurrency-limit.ts';
import type { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { requireCaller, requireScope } from '@teammemory/rpc/auth/caller-context.ts';
import { search } from '../domain/answer/search.ts';
import type { EmbeddingSearch, PassageSearch } from '../domain/embedding/find-passages.ts';
import type { Memory } from '../domain/index/memory.ts';
import { coverageToProto } from './get-index.ts';
import { passageToProto } from './passage-proto.ts';

/** Answers Search. It takes a place among those of Ask until it has ended. */
export function searchHandler(parts: {
  memory: Memory;
  embedding: EmbeddingSearch | undefined;
  acquirePermit: AcquirePermit;
}): MethodImpl<typeof QueryService.method.search> {
  return async ({ question, limit, teamId }, context) => {
    const viewer = viewerOf(teamId, context);
    const release = parts.acquirePermit(viewer.teamId);
    try {
      const { passages, coverage } = await search(question, {
        ...parts,
        limit,
        viewer,
        signal: context.signal,
      });
      return { passages: passages.map(passageToProto), coverage: coverageToProto(coverage) };
    } finally {
      release();
    }
  };
}

/** A member sees what the token says, a service all of the team that it names. */
function viewerOf(teamId: string, context: HandlerContext): PassageSearch['viewer'] {
  if (teamId === '') return requireCaller(context);
  requireScope(context, 'search:read');
  return { teamId, tier: 'team' };
}
