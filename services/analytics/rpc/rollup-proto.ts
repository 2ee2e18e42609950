import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetRollupResponseSchema,
  TeamPlacementSchema,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { Rollup } from '../domain/rollup.ts';
import type { TeamPlacement } from '../domain/team-placement.ts';

/** A team's rollup. */
export function rollupToProto(rollup: Rollup): MessageInitShape<typeof GetRollupResponseSchema> {
  return {
    from: rollup.from,
    to: rollup.to,
    rubricVersion: rollup.rubricVersion,
    current: teamPlacementToProto(rollup.current),
    trend: rollup.trend.map(({ week, placement }) => ({ week, placement: teamPlacementToProto(placement) })),
  };
}

/** A team's placement, or that it is withheld. */
export function teamPlacementToProto({
  members,
  figures,
}: TeamPlacement): MessageInitShape<typeof TeamPlacementSchema> {
  if (figures === undefined) return { members, withheld: true };
  return { members, spines: { ...figures.spines }, medianAxes: { ...figures.medianAxes } };
}
