import type { Client } from '@connectrpc/connect';
import type { AnalyticsService } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { CallOptions } from './call-options.ts';
import { type RollupRecord, rollupFromProto } from './rollup-record.ts';
import { everyPage, given, translated } from './rpc-answer.ts';

/** The most that the service gives and scores at once. */
const rowsPerPage = 200;

/** What was scored again. */
export interface RescoreRecord {
  teams: number;
  scans: number;
  snapshots: number;
}

/** What administrators do with scores. Every method throws RpcError. */
export interface AnalyticsMethods {
  /** Sums up a team; `weeks` 1 to 53, by default 12. */
  getRollup(wanted: { team: string; weeks?: number }, options?: CallOptions): Promise<RollupRecord>;
  /**
   * Scores history again where an older version of the score or rubric rated it:
   * that of one team, or of all. It can be repeated and cut short at any time.
   */
  rescore(wanted: { team?: string }, options?: CallOptions): Promise<RescoreRecord>;
}

/** Makes the methods; teams are named by slug, and the auth service knows their ids. */
export function analyticsMethods(
  auth: Client<typeof AuthService>,
  analytics: Client<typeof AnalyticsService>,
): AnalyticsMethods {
  const idOf = async (slug: string, options?: CallOptions) =>
    given((await auth.getTeam({ slug }, options)).team).teamId;

  async function* teamIds(team: string | undefined, options?: CallOptions): AsyncGenerator<string> {
    if (team !== undefined) {
      yield await translated(() => idOf(team, options));
      return;
    }
    const pages = everyPage((pageToken) => auth.listTeams({ pageSize: rowsPerPage, pageToken }, options));
    for await (const { teams } of pages) for (const { teamId } of teams) yield teamId;
  }

  return {
    getRollup: ({ team, weeks = 0 }, options) =>
      translated(async () => {
        const teamId = await idOf(team, options);
        return rollupFromProto(team, await analytics.getRollup({ teamId, weeks }, options));
      }),
    async rescore({ team }, options) {
      const record: RescoreRecord = { teams: 0, scans: 0, snapshots: 0 };
      for await (const teamId of teamIds(team, options)) {
        const page = (pageToken: string) => ({ teamId, pageSize: rowsPerPage, pageToken });
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
