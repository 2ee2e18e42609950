import type { Client } from '@connectrpc/connect';
import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { IndexCoverage, QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import type { CallOptions } from '../call-options.ts';
import { teamIdOf, translated } from './rpc-calls.ts';

/** The passages that keys of one tier may see, and how many of them cannot be searched. */
export interface CoverageRecord {
  passages: number;
  /** Passages that are not indexed, or only in part, because memory ran out. */
  missing_passages: number;
}

/** The search index of a team. */
export interface IndexRecord {
  team: string;
  team_keys: CoverageRecord;
  external_keys: CoverageRecord;
  /** Memory that the index takes. */
  bytes: number;
}

/** What administrators do with search indexes. Throws RpcError. */
export interface IndexMethods {
  /** Returns how much of a team's content can be searched. */
  getIndex(wanted: { team: string }, options?: CallOptions): Promise<IndexRecord>;
}

/** Makes the methods. The query service knows teams by id, and the auth service knows the ids. */
export function indexMethods(
  auth: Client<typeof AuthService>,
  query: Client<typeof QueryService>,
): IndexMethods {
  return {
    async getIndex({ team }, options) {
      return translated(async () => {
        const teamId = await teamIdOf(auth, team, options);
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
