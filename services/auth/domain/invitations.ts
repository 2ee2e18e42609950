import { AppError } from '@teammemory/errors/app-error.ts';
import { type Access, defaultAccess } from '@teammemory/vocabulary/access.ts';
import { createKeyText, findProven, hashSecret } from './key-text.ts';
import { endsWhatItMade, type Key, type KeyStore, type Keys, type KeyTier } from './keys.ts';
import { checkedHandle, type Member, type MemberRole, type MemberStore, type Members } from './members.ts';
import { invalidRequest } from './request-rules.ts';
import { isTeamAdministrator } from './team-administrators.ts';
import type { Team } from './teams.ts';

/** How long an invitation is valid: long enough for somebody who is away for a few days. */
const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1000;
/**
 * Open invitations of one team. A stolen session of an administrator must not leave more doors than a person looks through
 * in the list. Of those that are made at the same moment a few more may stay.
 */
export const maxOpenInvitations = 20;
/** Invitations in one answer: more than `maxOpenInvitations` leaves, also where many were made at the same moment. */
const maxListed = 100;
/** Names that may be tried with one invitation, so that a stranger who got it does not learn who is in the team. */
export const maxTriedNames = 10;

/** A link with which one person joins a team, without its secret. */
export interface Invitation {
  /** 16 characters of [0-9A-Za-z], unique everywhere. */
  invitationId: string;
  teamId: string;
  teamSlug: string;
  /** What whoever takes it may do. */
  role: MemberRole;
  /** Tier and access of the key. */
  tier: KeyTier;
  access: Access;
  /** The administrator who made it, and with which key. */
  makerId: string;
  makerHandle: string;
  makerKeyId: string;
  /** This and the other time: milliseconds since the epoch. */
  createdAt: number;
  expiresAt: number;
}

/** An invitation and the hash of its secret, 64 lower-case hex digits. */
export interface StoredInvitation {
  invitation: Invitation;
  secretHash: string;
}

/** Stores invitations until they are taken, revoked or have expired. Every method may also throw AppError `unavailable`. */
export interface InvitationStore {
  /**
   * Stores a new invitation durably, then removes some of any team that had expired when it was made. Throws AppError
   * `already_exists` if its id is taken.
   */
  create(teamId: string, stored: StoredInvitation): Promise<void>;
  /** The only look-up without a team, because the invitation determines the team. */
  findById(invitationId: string): Promise<StoredInvitation | undefined>;
  /** Up to `limit` invitations that have not expired at `at`, newest first. */
  list(teamId: string, at: number, limit: number): Promise<Invitation[]>;
  /**
   * Counts durably a name that is tried; returns how many these are, or undefined, and counts nothing, if the team has no
   * such invitation or `maxNames` were tried.
   */
  countName(teamId: string, invitationId: string, maxNames: number): Promise<number | undefined>;
  /** Removes an invitation durably; true for exactly one of those who take it, even at the same time. */
  take(teamId: string, invitationId: string): Promise<boolean>;
  /** Removes durably all invitations that were made with a key. */
  removeOfKey(teamId: string, keyId: string): Promise<void>;
  /** Removes durably all invitations that a member made. */
  removeOfMember(teamId: string, memberHandle: string): Promise<void>;
}

/** An invitation to be made. */
export interface WantedInvitation {
  team: Pick<Team, 'teamId' | 'slug'>;
  /** An administrator of the team, and the key of the call. */
  maker: Pick<Member, 'memberId' | 'handle'> & { keyId: string };
  role: MemberRole;
  tier: KeyTier;
  /** Undefined: the default of the tier. */
  access?: Access | undefined;
}

/** The use cases of invitations. */
export interface Invitations {
  /**
   * `text` is the whole token and exists only in this answer. Throws AppError `invalid_request` for an administrator with
   * a key that could administer nothing, `conflict` for too many open invitations.
   */
  create(wanted: WantedInvitation): Promise<{ invitation: Invitation; text: string }>;
  /** The open invitations of a team, newest first, at most 100. */
  list(teamId: string): Promise<Invitation[]>;
  /** Ends all open invitations that a member made. */
  endOfMember(teamId: string, memberHandle: string): Promise<void>;
  /** Throws AppError `not_found`. */
  revoke(teamId: string, invitationId: string): Promise<void>;
  /** The open invitation that a text proves. Throws AppError `invalid_key`, the same for every reason. */
  find(text: string): Promise<Invitation>;
  /**
   * Uses an invitation up: adds a member of this handle, with a key whose `text` exists only in this answer. Throws
   * AppError `invalid_key` for one that is open no more, `invalid_request`, and `already_exists` for a handle that the
   * team has; the invitation is then still open, until ten names were tried.
   */
  take(invitation: Invitation, handle: string): Promise<{ key: Key; text: string }>;
}

export interface InvitationsDependencies {
  store: InvitationStore;
  memberStore: Pick<MemberStore, 'findByHandle'>;
  keyStore: Pick<KeyStore, 'findById'>;
  members: Pick<Members, 'add'>;
  keys: Pick<Keys, 'create'>;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Unbiased and unpredictable: a whole number from 0 to bound - 1. */
  randomInt: (bound: number) => number;
}

/** Creates the use cases of invitations. */
export function createInvitations(dependencies: InvitationsDependencies): Invitations {
  const { store, memberStore, keyStore, members, keys, clock, randomInt } = dependencies;

  /** Whether its maker could still make it. */
  async function isOpen(invitation: Invitation): Promise<boolean> {
    const { teamId, makerId: memberId, makerHandle: memberHandle, makerKeyId, expiresAt } = invitation;
    if (expiresAt <= clock()) return false;
    const maker = (await keyStore.findById(makerKeyId))?.key;
    if (endsWhatItMade(maker, clock())) return false;
    const ofMaker = { teamId, memberId, memberHandle, tier: 'team', access: 'write' } as const;
    return isTeamAdministrator(memberStore, ofMaker);
  }

  async function openOf(stored: readonly Invitation[]): Promise<Invitation[]> {
    const open: Invitation[] = [];
    for (const invitation of stored) if (await isOpen(invitation)) open.push(invitation);
    return open;
  }

  return {
    async create({ team, maker, role, tier, access = defaultAccess[tier] }) {
      if (role === 'admin' && (tier !== 'team' || access !== 'write')) {
        throw invalidRequest('/role', 'must be member, unless the tier is team and the access write');
      }
      const createdAt = clock();
      const { teamId } = team;
      const stored = await store.list(teamId, createdAt, maxListed);
      const isFull = stored.length >= maxListed || (await openOf(stored)).length >= maxOpenInvitations;
      if (isFull) throw tooManyInvitations();
      const { text, keyId: invitationId, secret } = createKeyText('tmsi', randomInt);
      const invitation = {
        invitationId,
        teamId,
        teamSlug: team.slug,
        role,
        tier,
        access,
        makerId: maker.memberId,
        makerHandle: maker.handle,
        makerKeyId: maker.keyId,
        createdAt,
        expiresAt: createdAt + invitationLifetimeMs,
      };
      await store.create(teamId, { invitation, secretHash: hashSecret(secret) });
      return { invitation, text };
    },

    list: async (teamId) => openOf(await store.list(teamId, clock(), maxListed)),

    endOfMember: (teamId, memberHandle) => store.removeOfMember(teamId, memberHandle),

    async revoke(teamId, invitationId) {
      if (await store.take(teamId, invitationId)) return;
      throw new AppError('not_found', 'The team has no such open invitation.');
    },

    async find(text) {
      const stored = await findProven('tmsi', text, (id) => store.findById(id));
      if (stored === undefined || !(await isOpen(stored.invitation))) throw invalidInvitation();
      return stored.invitation;
    },

    async take({ invitationId, teamId, teamSlug, role, tier, access }, text) {
      const handle = checkedHandle(text);
      const names = await store.countName(teamId, invitationId, maxTriedNames);
      if (names === undefined) throw invalidInvitation();
      if ((await memberStore.findByHandle(teamId, handle)) !== undefined) {
        if (names >= maxTriedNames) await store.take(teamId, invitationId);
        throw nameTaken();
      }
      // Before the member is added: of those who take it at the same time only one joins.
      if (!(await store.take(teamId, invitationId))) throw invalidInvitation();
      const member = await members.add(teamId, { handle, role });
      const team = { teamId, slug: teamSlug };
      return keys.create({ team, member, tier, access, itemWritesPerMinute: null, expiresAt: null });
    },
  };
}

function invalidInvitation(): AppError {
  return new AppError('invalid_key', 'The invitation was used already, has ended or is not valid.');
}

function nameTaken(): AppError {
  return new AppError('already_exists', 'The team has a member of this name already; choose another one.');
}

function tooManyInvitations(): AppError {
  return new AppError(
    'conflict',
    `The team has ${maxOpenInvitations} open invitations; revoke one that nobody needs.`,
  );
}
