import type { MessageInitShape } from '@bufbuild/protobuf';
import type { MethodImpl } from '@connectrpc/connect';
import type { IndexCoverageSchema, QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { Memory } from '../domain/index/memory.ts';
import type { Coverage } from '../domain/views/view-index.ts';

/** Answers GetIndex. */
export function getIndexHandler({
  memory,
}: {
  memory: Memory;
}): MethodImpl<typeof QueryService.method.getIndex> {
  return async ({ teamId }, context) => {
    requireAdministrator(context);
    const { views, bytes } = await memory.coverage(teamId, context.signal);
    return {
      team: coverageToProto(views.team),
      external: coverageToProto(views.external),
      bytes: BigInt(bytes),
    };
  };
}

/** How much of a view can be searched, as RPC writes it. */
export function coverageToProto({
  passages,
  missing,
}: Coverage): MessageInitShape<typeof IndexCoverageSchema> {
  return { passages: BigInt(passages), missingPassages: BigInt(missing) };
}
