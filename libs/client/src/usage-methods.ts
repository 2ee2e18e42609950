import type { Client } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import type { CallOptions } from './call-options.ts';
import { everyPage, given, translated } from './rpc-answer.ts';
import { type TeamUsageRecord, type UsageRecord, usageFromProto } from './usage-record.ts';

/** The most that the services give at once. */
const rowsPerPage = 200;

/** What administrators do with usage. Throws RpcError. */
export interface UsageMethods {
  /** Tells what a team's calls to models came to; days are YYYY-MM-DD, by default the last 30 up to today (UTC). */
  getUsage(
    wanted: { team: string; from?: string; to?: string },
    options?: CallOptions,
  ): Promise<TeamUsageRecord>;
}

/** Makes the methods; the query service knows teams and members by id only, the auth service has their names. */
export function usageMethods(
  auth: Client<typeof AuthService>,
  query: Client<typeof QueryService>,
): UsageMethods {
  async function handlesOf(teamSlug: string, options?: CallOptions): Promise<Map<string, string>> {
    const handles = new Map<string, string>();
    const pages = everyPage((pageToken) =>
      auth.listMembers({ teamSlug, pageSize: rowsPerPage, pageToken }, options),
    );
    for await (const { members } of pages) {
      for (const { memberId, handle } of members) handles.set(memberId, handle);
    }
    return handles;
  }

  return {
    async getUsage({ team, from = '', to = '' }, options) {
      const { teamId } = await translated(async () =>
        given((await auth.getTeam({ slug: team }, options)).team),
      );
      const handles = await handlesOf(team, options);
      const usage: UsageRecord[] = [];
      let days = { from, to };
      const pages = everyPage((pageToken) =>
        query.getUsage({ teamId, ...days, pageSize: rowsPerPage, pageToken }, options),
      );
      for await (const page of pages) {
        // Pages belong to the days of the first one, also where it is midnight in between.
        days = { from: page.from, to: page.to };
        usage.push(...page.rows.map((row) => usageFromProto(row, handles)));
      }
      return { team, ...days, usage };
    },
  };
}
