import type { MessageInitShape } from '@bufbuild/protobuf';
import type { MethodImpl } from '@connectrpc/connect';
import type { IndexCoverageSchema, QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import type { TeamIndexes } from '../domain/index/team-indexes.ts';
import type { Sweep } from '../domain/spending/spending.ts';
import { usageReport } from '../domain/spending/usage-report.ts';
import type { UsageStore } from '../domain/spending/usage-store.ts';
import type { Coverage } from '../domain/views/view-index.ts';
import { usagePageToProto, usageQueryFromProto } from './usage-proto.ts';

/** Handles `GetIndex`. */
export function getIndexHandler({
  indexes,
}: {
  indexes: TeamIndexes;
}): MethodImpl<typeof QueryService.method.getIndex> {
  return async ({ teamId }, context) => {
    requireAdministrator(context);
    const { views, bytes } = await indexes.use(teamId, context.signal, (host) => host.coverage(teamId));
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

/** Handles `GetUsage`. */
export function getUsageHandler(dependencies: {
  usage: UsageStore;
  sweep: Sweep;
  clock: () => number;
}): MethodImpl<typeof QueryService.method.getUsage> {
  return async (request, context) => {
    requireAdministrator(context);
    const query = usageQueryFromProto(request);
    return usagePageToProto(await usageReport(dependencies, request.teamId, query));
  };
}
