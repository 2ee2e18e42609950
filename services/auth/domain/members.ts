import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '@teammemory/errors/app-error.ts';
import { handlePattern } from '@teammemory/vocabulary/formats.ts';
import { invalidRequest, type Page, readPage } from './request-rules.ts';

/** What a member may do on the service side. */
export type MemberRole = 'admin' | 'member';

/** A person or an agent of one team. */
export interface Member {
  /** UUID version 7, lower case. */
  memberId: string;
  /** Unique in the team. Never changes, as keys and content name it. */
  handle: string;
  role: MemberRole;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/**
 * Brings a handle into the form it is stored in. Only A to Z change: Unicode's
 * rules would turn the Kelvin sign into a plain k, and so one name into another.
 */
export function normalizedHandle(handle: string): string {
  return handle.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns the handle as it is stored, or throws AppError `invalid_request`. */
export function checkedHandle(handle: string): string {
  const normalized = normalizedHandle(handle);
  if (handlePattern.test(normalized)) return normalized;
  throw invalidRequest(
    '/handle',
    'must be 1 to 64 of a-z, 0-9, ., _ and -, beginning and ending with a letter or digit',
  );
}

/** Stores members. Every method may also throw AppError `unavailable`. */
export interface MemberStore {
  /** Stores a new member durably. Throws AppError `already_exists` if the team has its handle. */
  add(teamId: string, member: Member): Promise<void>;
  /** `handle` as it is stored, lower-case. */
  findByHandle(teamId: string, handle: string): Promise<Member | undefined>;
  /** Sets a role durably; returns the member, or undefined if the team has none of this handle. */
  setRole(teamId: string, handle: string, role: MemberRole): Promise<Member | undefined>;
  /** Whether any member of the team has the role admin. */
  hasAdministrator(teamId: string): Promise<boolean>;
  /** Removes a member durably; returns whether the team had one of this handle. */
  remove(teamId: string, handle: string): Promise<boolean>;
  /** Up to `limit` members by handle, those after `afterHandle`; '' begins with the first. */
  list(teamId: string, afterHandle: string, limit: number): Promise<Member[]>;
}

/**
 * Who changes members: an administrator of the team, who may not leave it without any, or one of the installation, who
 * can mend that.
 */
export type ChangedBy = 'team' | 'installation';

/** The use cases of the members of a team. */
export interface Members {
  /** Throws AppError `invalid_request` or `already_exists`. */
  add(teamId: string, wanted: { handle: string; role: MemberRole }): Promise<Member>;
  /** Finds by handle in any case. Throws AppError `not_found`. */
  get(teamId: string, handle: string): Promise<Member>;
  /**
   * Removes a member, by handle in any case, and revokes the member's keys, sign-in addresses and the invitations that the
   * member made; returns how many keys were revoked. What the member wrote stays. The handle may be given to another
   * member, who has another id. Throws AppError `not_found` if there is neither such a member nor a valid key of one;
   * `conflict` for the last administrator of a team, by one of the team; `unavailable`, after which it may be repeated.
   */
  remove(teamId: string, handle: string, by: ChangedBy): Promise<number>;
  /**
   * Changes a role, by handle in any case; the invitations of an administrator end with it. Throws AppError `not_found`;
   * `conflict` as `remove`.
   */
  setRole(teamId: string, handle: string, role: MemberRole, by: ChangedBy): Promise<Member>;
  /** Members by handle, after `afterHandle`; '' begins with the first. */
  list(teamId: string, afterHandle: string, pageSize: number): Promise<Page<Member>>;
}

/** The part of the store of keys that the removal of a member needs; `KeyStore` says what it does. */
export interface KeysOfMember {
  revokeOfMember(teamId: string, memberHandle: string, at: number): Promise<number>;
}

/** The part of the store of sign-in addresses that the removal of a member needs. */
export interface AddressesOfMember {
  removeOfMember(teamId: string, memberHandle: string): Promise<void>;
}

/** The part of the store of invitations that looks after those of a member. */
export interface InvitationsOfMember {
  removeOfMember(teamId: string, memberHandle: string): Promise<void>;
}

export interface MembersDependencies {
  store: MemberStore;
  keys: KeysOfMember;
  addresses: AddressesOfMember;
  invitations: InvitationsOfMember;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** Creates the use cases of members. */
export function createMembers({ store, keys, addresses, invitations, clock }: MembersDependencies): Members {
  /**
   * Looks after the change whether an administrator is left, because two who demote each other at the same time would
   * both have found one before it.
   */
  async function setRole(
    teamId: string,
    handle: string,
    role: MemberRole,
    by: ChangedBy,
  ): Promise<Member | undefined> {
    const before = await store.findByHandle(teamId, handle);
    if (before === undefined || before.role === role) return before;
    const changed = await store.setRole(teamId, handle, role);
    if (role === 'admin' || by === 'installation' || (await store.hasAdministrator(teamId))) return changed;
    await store.setRole(teamId, handle, 'admin');
    throw new AppError(
      'conflict',
      'This is the last administrator of the team; make another member administrator first.',
    );
  }

  return {
    async add(teamId, { handle, role }) {
      const member = { memberId: randomUUIDv7(), handle: checkedHandle(handle), role, createdAt: clock() };
      await store.add(teamId, member);
      return member;
    },

    async get(teamId, handle) {
      const member = await store.findByHandle(teamId, normalizedHandle(handle));
      if (!member) throw noSuchMember();
      return member;
    },

    async setRole(teamId, handle, role, by) {
      const member = await setRole(teamId, normalizedHandle(handle), role, by);
      if (!member) throw noSuchMember();
      if (role === 'member') await invitations.removeOfMember(teamId, member.handle);
      return member;
    },

    async remove(teamId, handle, by) {
      const normalized = normalizedHandle(handle);
      if (by === 'team') await setRole(teamId, normalized, 'member', by);
      // Keys first: a failure in the middle must not leave a key of a member who is gone and cannot be named any more.
      const before = await keys.revokeOfMember(teamId, normalized, clock());
      const wasMember = await store.remove(teamId, normalized);
      await addresses.removeOfMember(teamId, normalized);
      await invitations.removeOfMember(teamId, normalized);
      // And again, for keys that were created in between; those created later find no member (`Keys.create`).
      const revoked = before + (await keys.revokeOfMember(teamId, normalized, clock()));
      if (!wasMember && revoked === 0) throw noSuchMember();
      return revoked;
    },

    list: (teamId, afterHandle, pageSize) =>
      readPage(pageSize, (limit) => store.list(teamId, afterHandle, limit)),
  };
}

function noSuchMember(): AppError {
  return new AppError('not_found', 'There is no such member in this team.');
}
