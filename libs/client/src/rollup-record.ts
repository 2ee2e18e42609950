import type { GetRollupResponse, TeamPlacement } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { given } from './rpc-answer.ts';

/** How the members of a team are placed. */
export interface TeamPlacementRecord {
  members: number;
  /** Whether there are too few members to show more; the figures are null then. */
  withheld: boolean;
  /** Members at each level, L0 to L5. */
  spines: Record<string, number> | null;
  /** 0 to 4, two decimals. */
  median_axes: Record<string, number> | null;
}

/** A team over some weeks, from canonical placements only. */
export interface RollupRecord {
  /** Slug of the team. */
  team: string;
  /** First and last day, YYYY-MM-DD. */
  from: string;
  to: string;
  rubric_version: number;
  /** Each member by the newest snapshot of all weeks. */
  current: TeamPlacementRecord;
  /** Every week by its Monday, oldest first; each member by the newest snapshot of the week. */
  trend: ({ week: string } & TeamPlacementRecord)[];
}

export function rollupFromProto(team: string, rollup: GetRollupResponse): RollupRecord {
  return {
    team,
    from: rollup.from,
    to: rollup.to,
    rubric_version: rollup.rubricVersion,
    current: placementFromProto(given(rollup.current)),
    trend: rollup.trend.map(({ week, placement }) => ({ week, ...placementFromProto(given(placement)) })),
  };
}

function placementFromProto({ members, withheld, spines, medianAxes }: TeamPlacement): TeamPlacementRecord {
  return {
    members,
    withheld,
    spines: withheld ? null : spines,
    median_axes: withheld ? null : medianAxes,
  };
}
