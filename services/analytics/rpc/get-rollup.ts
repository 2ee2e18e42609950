import type { MethodImpl } from '@connectrpc/connect';
import type { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { type RollupDependencies, rollup } from '../domain/rollup.ts';
import { rollupToProto } from './rollup-proto.ts';
import { teamOf } from './team-caller.ts';

/** Answers GetRollup. */
export function getRollupHandler(
  dependencies: RollupDependencies,
): MethodImpl<typeof AnalyticsService.method.getRollup> {
  return async (request, context) => {
    const teamId = teamOf(context, request.teamId);
    return rollupToProto(await rollup(dependencies, teamId, request.weeks));
  };
}
