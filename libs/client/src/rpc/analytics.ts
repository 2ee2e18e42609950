import type { Client } from '@connectrpc/connect';
import type {
  AnalyticsService,
  GetRollupResponse,
  TeamPlacement,
} from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { CallOptions } from '../call-options.ts';
import { everyPage, given, teamIdOf, translated } from './rpc-calls.ts';

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

function rollupFromProto(team: string, rollup: GetRollupResponse): RollupRecord {
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
  auth: Client<typeof AuthService>,
  analytics: Client<typeof AnalyticsService>,
): AnalyticsMethods {
  async function* teamIds(team: string | undefined, options?: CallOptions): AsyncGenerator<string> {
    if (team !== undefined) {
      yield await translated(() => teamIdOf(auth, team, options));
      return;
    }
    const pages = everyPage((pageToken) => auth.listTeams({ pageSize: maxPageRows, pageToken }, options));
    for await (const { teams } of pages) for (const { teamId } of teams) yield teamId;
  }

  return {
    getRollup: ({ team, weeks = 0 }, options) =>
      translated(async () => {
        const teamId = await teamIdOf(auth, team, options);
        return rollupFromProto(team, await analytics.getRollup({ teamId, weeks }, options));
      }),
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
