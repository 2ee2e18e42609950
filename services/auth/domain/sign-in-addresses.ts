import { AppError } from '@teammemory/errors/app-error.ts';
import type { Key, Keys } from './keys.ts';
import type { Member, MemberStore } from './members.ts';
import { invalidRequest, type Page, readPage } from './request-rules.ts';
import { sessionLifetimeMs } from './sessions.ts';
import type { TeamStore } from './teams.ts';

/** Says which member of a team signs in with an address that the organisation's identity provider has verified. */
export interface SignInAddress {
  /** A mail address in lower case, unique in the team. */
  address: string;
  memberId: string;
  memberHandle: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** The longest address that mail knows (RFC 3696, erratum 1690). */
const maxAddressCharacters = 254;
/** What mail addresses are made of in practice. Letters beyond ASCII could make one person's address another's in lower case. */
const addressPattern = /^[0-9A-Za-z._+'&=~#!%-]{1,64}@[0-9A-Za-z.-]+$/;

/** Brings an address into the form it is stored in. Only A to Z change, as in handles. */
function normalizedAddress(address: string): string {
  return address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Returns the address as it is stored, or throws AppError `invalid_request`. */
function checkedAddress(address: string): string {
  if (address.length <= maxAddressCharacters && addressPattern.test(address)) {
    return normalizedAddress(address);
  }
  throw invalidRequest(
    '/address',
    `must be a mail address of at most ${maxAddressCharacters} letters of ASCII, digits and usual signs`,
  );
}

/** Stores sign-in addresses. Every method may also throw AppError `unavailable`. */
export interface SignInAddressStore {
  /** Stores a new address durably. Throws AppError `already_exists` if the team has it. */
  add(teamId: string, address: SignInAddress): Promise<void>;
  /** `address` as it is stored, lower-case. */
  find(teamId: string, address: string): Promise<SignInAddress | undefined>;
  /** Removes an address durably; returns whether the team had it. */
  remove(teamId: string, address: string): Promise<boolean>;
  /** Removes durably all addresses of a member. */
  removeOfMember(teamId: string, memberHandle: string): Promise<void>;
  /** Up to `limit` addresses in their order, those after `afterAddress`; '' begins with the first. */
  list(teamId: string, afterAddress: string, limit: number): Promise<SignInAddress[]>;
}

/** The use cases of sign-in addresses. */
export interface SignInAddresses {
  /** Throws AppError `invalid_request` or `already_exists`. */
  add(teamId: string, member: Member, address: string): Promise<SignInAddress>;
  /** Removes an address, in any case of its letters. Sessions that it opened go on. Throws AppError `not_found`. */
  remove(teamId: string, address: string): Promise<void>;
  /** Addresses in their order, after `afterAddress`; '' begins with the first. */
  list(teamId: string, afterAddress: string, pageSize: number): Promise<Page<SignInAddress>>;
  /**
   * Makes a key for the session of whoever has proved to hold an address: of tier team and access write, for as long as a
   * session lives. Throws AppError `invalid_key`, the same for an unknown team, address or member.
   */
  signIn(teamSlug: string, address: string): Promise<Key>;
}

export interface SignInAddressesDependencies {
  store: SignInAddressStore;
  teams: Pick<TeamStore, 'findBySlug'>;
  members: Pick<MemberStore, 'findByHandle'>;
  keys: Pick<Keys, 'create'>;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** Creates the use cases of sign-in addresses. */
export function createSignInAddresses(dependencies: SignInAddressesDependencies): SignInAddresses {
  const { store, teams, members, keys, clock } = dependencies;
  return {
    async add(teamId, { memberId, handle }, text) {
      const address = { address: checkedAddress(text), memberId, memberHandle: handle, createdAt: clock() };
      await store.add(teamId, address);
      return address;
    },

    async remove(teamId, address) {
      if (await store.remove(teamId, normalizedAddress(address))) return;
      throw new AppError('not_found', 'The team has no such address.');
    },

    list: (teamId, afterAddress, pageSize) =>
      readPage(pageSize, (limit) => store.list(teamId, afterAddress, limit)),

    async signIn(teamSlug, text) {
      const team = await teams.findBySlug(teamSlug);
      const address = team && (await store.find(team.teamId, normalizedAddress(text)));
      const member = address && (await members.findByHandle(team.teamId, address.memberHandle));
      // A handle that was given again belongs to somebody else.
      if (!team || !member || member.memberId !== address?.memberId) throw unknownAddress();
      const { key } = await keys.create({
        team,
        member,
        tier: 'team',
        access: 'write',
        itemWritesPerMinute: null,
        expiresAt: clock() + sessionLifetimeMs,
        isForSignIn: true,
      });
      return key;
    },
  };
}

function unknownAddress(): AppError {
  return new AppError('invalid_key', 'No member of this team signs in with this address.');
}
