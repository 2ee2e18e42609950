import type { Member } from './member.ts';

/** Where members are kept. Every method may also throw AppError `unavailable`. */
export interface MemberStore {
  /** Keeps a new member, durably. Throws AppError `already_exists` where the team has its handle. */
  add(teamId: string, member: Member): Promise<void>;
  /** `handle` as it is stored, lower-case. */
  findByHandle(teamId: string, handle: string): Promise<Member | undefined>;
  /** Up to `limit` members by handle, those after `afterHandle`; '' begins with the first. */
  list(teamId: string, afterHandle: string, limit: number): Promise<Member[]>;
}
