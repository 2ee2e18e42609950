import { randomUUIDv7 } from 'node:crypto';
import { invalidRequest } from './request-rules.ts';

/** Refusals kept of one team: enough to see what goes wrong, and no record of everything that anybody did. */
const maxRefusalsOfTeam = 100;
/** Refusals in one call. */
const maxInBatch = 200;

/** A request of a member, or an item within one, that was refused. */
export interface Refusal {
  /** UUID version 7; makes the order of those at the same time certain. */
  refusalId: string;
  memberId: string;
  memberHandle: string;
  keyId: string;
  /** Method and route pattern, or the RPC. */
  request: string;
  /** An error code. */
  code: string;
  /** The public message. */
  detail: string;
  /** Empty for a whole request. */
  rowKey: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** A refusal before it is kept, and the team it belongs to. */
export type NewRefusal = Omit<Refusal, 'refusalId'> & { teamId: string };

/** Stores the last refusals of each team. Every method may also throw AppError `unavailable`. */
export interface RefusalStore {
  /** Stores up to `maxOfTeam` refusals, then removes the oldest of the team beyond as many. */
  add(teamId: string, refusals: readonly Refusal[], maxOfTeam: number): Promise<void>;
  /** Up to `limit` refusals, newest first: of the team, or of one member. */
  list(teamId: string, memberId: string | undefined, limit: number): Promise<Refusal[]>;
}

/** The use cases of refusals. */
export interface Refusals {
  /** Keeps refusals of any teams. Throws AppError `invalid_request` for too many. */
  record(refusals: readonly NewRefusal[]): Promise<void>;
  /** The last refusals of a team, newest first; with `memberId` only those of this member. */
  list(teamId: string, memberId?: string): Promise<Refusal[]>;
}

/** Creates the use cases of refusals. */
export function createRefusals({ store }: { store: RefusalStore }): Refusals {
  return {
    async record(refusals) {
      if (refusals.length > maxInBatch) {
        throw invalidRequest('/refusals', `must be at most ${maxInBatch}`);
      }
      const ofTeams = Map.groupBy(refusals, ({ teamId }) => teamId);
      for (const [teamId, ofTeam] of ofTeams) {
        const kept = ofTeam
          .slice(-maxRefusalsOfTeam)
          .map(({ teamId: _, ...refusal }) => ({ ...refusal, refusalId: randomUUIDv7() }));
        await store.add(teamId, kept, maxRefusalsOfTeam);
      }
    },

    list: (teamId, memberId) => store.list(teamId, memberId, maxRefusalsOfTeam),
  };
}
