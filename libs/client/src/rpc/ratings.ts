import type { AuthService } from '@teammemory/proto/auth/v1/auth_pb.ts';
import type { QueryService } from '@teammemory/proto/query/v1/query_pb.ts';
import type { CallOptions } from '../call-options.ts';
import type { RecordClient } from './records.ts';
import { teamIdOf } from './rpc-calls.ts';

/** What administrators of the installation do with ratings of answers. Throws RpcError. */
export interface RatingMethods {
  /** Erases the ratings of a member of a team, named by its slug; returns how many there were. */
  eraseMemberRatings(
    erasure: { team: string; handle: string; dryRun: boolean },
    options?: CallOptions,
  ): Promise<number>;
}

/** Makes the methods. The query service knows teams by id, and the auth service knows the ids. */
export function ratingMethods(
  auth: RecordClient<typeof AuthService>,
  query: RecordClient<typeof QueryService>,
): RatingMethods {
  return {
    async eraseMemberRatings({ team, handle, dryRun }, options) {
      const teamId = await teamIdOf(auth, team, options);
      return (await query.eraseMemberRatings({ teamId, handle, dryRun }, options)).ratings;
    },
  };
}
