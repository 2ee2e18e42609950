import type { MethodImpl } from '@connectrpc/connect';
import type { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import { requireAdministrator } from '@teammemory/rpc/auth/caller-context.ts';
import { usageReport } from '../domain/spending/usage-report.ts';
import type { UsageStore } from '../domain/spending/usage-store.ts';
import type { Sweep } from '../domain/spending/usage-sweep.ts';
import { usagePageToProto, usageQueryFromProto } from './usage-proto.ts';

/** Answers GetUsage. */
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
