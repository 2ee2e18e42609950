import type { Client } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { IndexCoverage, QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import type { CallOptions } from './call-options.ts';
import { given, translated } from './rpc-answer.ts';

/** How much of the passages that the keys of one tier may see can be searched. */
export interface CoverageRecord {
  passages: number;
  /** Not indexed, or only by some of their words, for want of memory. */
  missing_passages: number;
}

/** The search index of a team. */
export interface IndexRecord {
  team: string;
  team_keys: CoverageRecord;
  external_keys: CoverageRecord;
  /** Memory that it takes. */
  bytes: number;
}

/** What administrators do with search indexes. Throws RpcError. */
export interface IndexMethods {
  /** Tells how much of what a team knows can be searched. */
  getIndex(wanted: { team: string }, options?: CallOptions): Promise<IndexRecord>;
}

/** Makes the methods; the query service knows teams by id only, the auth service has their names. */
export function indexMethods(
  auth: Client<typeof AuthService>,
  query: Client<typeof QueryService>,
): IndexMethods {
  return {
    async getIndex({ team }, options) {
      return translated(async () => {
        const { teamId } = given((await auth.getTeam({ slug: team }, options)).team);
        const index = await query.getIndex({ teamId }, options);
        return {
          team,
          team_keys: coverage(index.team),
          external_keys: coverage(index.external),
          bytes: Number(index.bytes),
        };
      });
    },
  };
}

function coverage(of: IndexCoverage | undefined): CoverageRecord {
  return { passages: Number(of?.passages ?? 0), missing_passages: Number(of?.missingPassages ?? 0) };
}
