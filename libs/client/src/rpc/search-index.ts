import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import type { CallOptions } from '../call-options.ts';
import type { RecordClient } from './records.ts';
import { teamIdOf } from './rpc-calls.ts';

/** The passages that keys of one tier may see, and how many of them cannot be searched. */
export interface CoverageRecord {
  passages: number;
  /** Passages that are not indexed, because the index has no room left. */
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
  auth: RecordClient<typeof AuthService>,
  query: RecordClient<typeof QueryService>,
): IndexMethods {
  return {
    async getIndex({ team }, options) {
      const teamId = await teamIdOf(auth, team, options);
      const index = await query.getIndex({ teamId }, options);
      const none = { passages: 0, missing_passages: 0 };
      return {
        team,
        team_keys: index.team ?? none,
        external_keys: index.external ?? none,
        bytes: index.bytes,
      };
    },
  };
}
