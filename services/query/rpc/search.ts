import type { MethodImpl } from '@connectrpc/connect';
import type { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { requireCaller } from '@teammemory/rpc/caller-context.ts';
import type { EmbeddingSearch } from '../domain/embedding-search.ts';
import type { Memory } from '../domain/memory.ts';
import { search } from '../domain/search.ts';
import { passageToProto } from './passage-proto.ts';

/** Answers Search. */
export function searchHandler(parts: {
  memory: Memory;
  embedding: EmbeddingSearch | undefined;
}): MethodImpl<typeof QueryService.method.search> {
  return async ({ question, limit }, context) => {
    const viewer = requireCaller(context);
    const passages = await search(question, { ...parts, limit, viewer, signal: context.signal });
    return { passages: passages.map(passageToProto) };
  };
}
