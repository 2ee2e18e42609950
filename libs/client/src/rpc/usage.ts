import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { QueryService, UsageRow } from '@teammemory/proto/query/v1/query_pb.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { CallOptions } from '../call-options.ts';
import type { RecordClient, RecordOf } from './records.ts';
import { everyPage, teamIdOf } from './rpc-calls.ts';

/** The calls of one member to one model on one day. */
export interface UsageRecord {
  /** UTC, YYYY-MM-DD. */
  day: string;
  /** Handle of the member; null for calls that the team itself made. */
  member: string | null;
  model: string;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  /** In US dollars with at most six decimals. */
  cost_usd: number;
}

/** The usage of a team over some days. */
export interface TeamUsageRecord {
  /** Slug of the team. */
  team: string;
  /** First and last day (UTC), YYYY-MM-DD. */
  from: string;
  to: string;
  /** Ordered by day, member and model. */
  usage: UsageRecord[];
}

/** A member whose handle is unknown is named by id. */
function usageFrom(
  { member_id: id, cost_micro_dollars: cost, ...row }: RecordOf<UsageRow>,
  handles: ReadonlyMap<string, string>,
): UsageRecord {
  return { ...row, member: id === '' ? null : (handles.get(id) ?? id), cost_usd: cost / 1_000_000 };
}

/** What administrators do with usage. Throws RpcError. */
export interface UsageMethods {
  /** Returns a team's calls to models. Days are YYYY-MM-DD; the default is the last 30 days up to today (UTC). */
  getUsage(
    wanted: { team: string; from?: string; to?: string },
    options?: CallOptions,
  ): Promise<TeamUsageRecord>;
}

/** Makes the methods. The query service knows teams and members by id, and the auth service has their names. */
export function usageMethods(
  auth: RecordClient<typeof AuthService>,
  query: RecordClient<typeof QueryService>,
): UsageMethods {
  async function handlesOf(teamSlug: string, options?: CallOptions): Promise<Map<string, string>> {
    const handles = new Map<string, string>();
    const pages = everyPage((pageToken) =>
      auth.listMembers({ teamSlug, pageSize: maxPageRows, pageToken }, options),
    );
    for await (const { members } of pages) {
      for (const { member_id, handle } of members) handles.set(member_id, handle);
    }
    return handles;
  }

  return {
    async getUsage({ team, from = '', to = '' }, options) {
      const teamId = await teamIdOf(auth, team, options);
      const handles = await handlesOf(team, options);
      const usage: UsageRecord[] = [];
      let days = { from, to };
      const pages = everyPage((pageToken) =>
        query.getUsage({ teamId, ...days, pageSize: maxPageRows, pageToken }, options),
      );
      for await (const page of pages) {
        // All pages have the days of the first one, even if midnight passes in between.
        days = { from: page.from, to: page.to };
        usage.push(...page.rows.map((row) => usageFrom(row, handles)));
      }
      return { team, ...days, usage };
    },
  };
}
