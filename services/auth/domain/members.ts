import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { checkedHandle, type Member, type MemberRole, normalizedHandle } from './member.ts';
import type { MemberStore } from './member-store.ts';
import { type Page, readPage } from './page.ts';

/** What can be done with the members of a team. */
export interface Members {
  /** Throws AppError `invalid_request` or `already_exists`. */
  add(teamId: string, wanted: { handle: string; role: MemberRole }): Promise<Member>;
  /** Finds by handle in any case. Throws AppError `not_found`. */
  get(teamId: string, handle: string): Promise<Member>;
  /** Members by handle, after `afterHandle`; '' begins with the first. */
  list(teamId: string, afterHandle: string, pageSize: number): Promise<Page<Member>>;
}

export interface MembersDependencies {
  store: MemberStore;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** Makes the use cases of members. */
export function createMembers({ store, clock }: MembersDependencies): Members {
  return {
    async add(teamId, { handle, role }) {
      const member = { memberId: randomUUIDv7(), handle: checkedHandle(handle), role, createdAt: clock() };
      await store.add(teamId, member);
      return member;
    },

    async get(teamId, handle) {
      const member = await store.findByHandle(teamId, normalizedHandle(handle));
      if (!member) throw new AppError('not_found', 'There is no such member in this team.');
      return member;
    },

    list: (teamId, afterHandle, pageSize) =>
      readPage(pageSize, (limit) => store.list(teamId, afterHandle, limit)),
  };
}
