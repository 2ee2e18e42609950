import type { AnalyticsService, TeamPlacement } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { CallOptions } from '../call-options.ts';
import type { RecordClient, RecordOf } from './records.ts';
import { everyPage, given, teamIdOf } from './rpc-calls.ts';

/** The levels of the members of a team. */
export interface TeamPlacementRecord {
  members: number;
  /** True if there are too few members to show figures, which are null then. */
  withheld: boolean;
  /** Number of members at each level, L0 to L5. */
  spines: Record<string, number> | null;
  /** 0 to 4, two decimals. */
  median_axes: Record<string, number> | null;
}

/** A summary of a team over some weeks, from canonical placements only. */
export interface RollupRecord {
  /** Slug of the team. */
  team: string;
  /** First and last day, YYYY-MM-DD. */
  from: string;
  to: string;
  rubric_version: number;
  /** Each member counts with the newest snapshot of all weeks. */
  current: TeamPlacementRecord;
  /** Each week, named by its Monday, oldest first. Each member counts with the newest snapshot of the week. */
  trend: ({ week: string } & TeamPlacementRecord)[];
}

function placementFrom(placement: RecordOf<TeamPlacement> | null): TeamPlacementRecord {
  const { spines, median_axes, ...shown } = given(placement);
  return shown.withheld ? { ...shown, spines: null, median_axes: null } : { ...shown, spines, median_axes };
}

/** Counts of what was scored again. */
export interface RescoreRecord {
  teams: number;
  scans: number;
  snapshots: number;
}

/** What administrators do with scores. Every method throws RpcError. */
export interface AnalyticsMethods {
  /** Returns the summary of a team. `weeks` is 1 to 53, by default 12. */
  getRollup(wanted: { team: string; weeks?: number }, options?: CallOptions): Promise<RollupRecord>;
  /**
   * Scores again every row that an older score or rubric scored, for one team or for all. The call can be
   * repeated, and ended at any time.
   */
  rescore(wanted: { team?: string }, options?: CallOptions): Promise<RescoreRecord>;
}

/** Makes the methods. Administrators name teams by slug, and the auth service knows the ids. */
export function analyticsMethods(
  auth: RecordClient<typeof AuthService>,
  analytics: RecordClient<typeof AnalyticsService>,
): AnalyticsMethods {
  async function* teamIds(team: string | undefined, options?: CallOptions): AsyncGenerator<string> {
    if (team !== undefined) {
      yield await teamIdOf(auth, team, options);
      return;
    }
    const pages = everyPage((pageToken) => auth.listTeams({ pageSize: maxPageRows, pageToken }, options));
    for await (const { teams } of pages) for (const { team_id } of teams) yield team_id;
  }

  return {
    async getRollup({ team, weeks = 0 }, options) {
      const teamId = await teamIdOf(auth, team, options);
      const { current, trend, ...rollup } = await analytics.getRollup({ teamId, weeks }, options);
      return {
        team,
        ...rollup,
        current: placementFrom(current),
        trend: trend.map(({ week, placement }) => ({ week, ...placementFrom(placement) })),
      };
    },
    async rescore({ team }, options) {
      const record: RescoreRecord = { teams: 0, scans: 0, snapshots: 0 };
      for await (const teamId of teamIds(team, options)) {
        const page = (pageToken: string) => ({ teamId, pageSize: maxPageRows, pageToken });
        const scans = everyPage((token) => analytics.rescoreScans(page(token), options));
        for await (const { rescored } of scans) record.scans += rescored;
        const snapshots = everyPage((token) => analytics.rescoreSnapshots(page(token), options));
        for await (const { rescored } of snapshots) record.snapshots += rescored;
        record.teams += 1;
      }
      return record;
    },
  };
}
