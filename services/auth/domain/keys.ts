import { AppError } from '@teammemory/errors/app-error.ts';
import {
  type Access,
  defaultAccess,
  maxItemWritesPerMinute,
  minItemWritesPerMinute,
} from '@teammemory/vocabulary/access.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { createKeyText, hashSecret } from './key-text.ts';
import type { Member, MemberStore } from './members.ts';
import { invalidRequest, type Page, readPage } from './request-rules.ts';
import type { Team } from './teams.ts';

/** What the holder of the key may read. */
export type KeyTier = Tier;

/**
 * A member's key without its secret. It carries the slug and the handle, which
 * never change, so that authenticating is one read.
 */
export interface Key {
  /** 16 characters of [0-9A-Za-z], unique everywhere. */
  keyId: string;
  teamId: string;
  teamSlug: string;
  memberId: string;
  memberHandle: string;
  tier: KeyTier;
  access: Access;
  /** Null: it has the limit that the operator gives every key. */
  itemWritesPerMinute: number | null;
  /** Whether it was made for the session of a person who signed in with an address. Nobody knows its secret. */
  isForSignIn: boolean;
  /** Only of a key that a member let an app act with. Nobody knows its secret. */
  app?: KeyApp;
  /** This and the other times: milliseconds since the epoch. */
  createdAt: number;
  /** Null: it does not expire. */
  expiresAt: number | null;
  /** Null: it is not revoked. */
  revokedAt: number | null;
  /** Null: it was never used. Up to `lastUseIntervalMs` behind. */
  lastUsedAt: number | null;
}

/** The app that a key was made for, and how. */
export interface KeyApp {
  /** Who the app is: the URL of its client-id metadata document. */
  clientId: string;
  /** The key that the member let it act with: the app's is revoked with it. */
  makerKeyId: string;
}

/** Keys of one member made for sessions: as many as the member has sessions. */
const maxSignInKeys = 20;

/** Valid keys of one member, beyond which only an administrator makes more: a program for each machine and agent, and many spare. */
export const maxOwnKeys = 50;
/** Valid apps that one key let act: more than a person uses, and few enough that a guest's key fills no list. */
export const maxAppsOfKey = 10;
/** Valid apps of one member, beyond which sessions of the identity provider, each with a key of its own, connect no more. */
const maxAppsOfMember = 50;
/** How long a key may live that a person makes who signed in with an address, by a key that lives as long as the session. */
const maxOwnLifetimeMs = 365 * 24 * 60 * 60 * 1000;

/** How long a replaced key goes on working unless somebody says so, and at most: by then a program has the new one. */
export const defaultOverlapMs = 24 * 60 * 60 * 1000;
const maxOverlapMs = 30 * defaultOverlapMs;

/** 9999-12-31T23:59:59.999Z, the last moment that RFC 3339 and protobuf timestamps can write. */
const lastMomentMs = 253_402_300_799_999;

/** Whether the key is valid at `now`, in milliseconds since the epoch. */
export function isActive(key: Pick<Key, 'expiresAt' | 'revokedAt'>, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt);
}

/**
 * Whether the key that something was made with ends that thing at `now`. That the key of a sign-in expires, which it does
 * after hours, takes nobody's rights away; it is removed then.
 */
export function endsWhatItMade(maker: Key | undefined, now: number): boolean {
  if (maker === undefined || isActive(maker, now)) return false;
  return maker.revokedAt !== null || !maker.isForSignIn;
}

/** Whether a key is valid at `now`, and that of an app also by the key that let the app act. */
export async function isInForce(store: Pick<KeyStore, 'findById'>, key: Key, now: number): Promise<boolean> {
  if (!isActive(key, now)) return false;
  return key.app === undefined || !endsWhatItMade((await store.findById(key.app.makerKeyId))?.key, now);
}

/** The key of an app as it ends: with the key that let the app act, if that expires sooner, as one that was replaced does. */
async function asItEnds(store: Pick<KeyStore, 'findById'>, key: Key): Promise<Key> {
  const maker = key.app && (await store.findById(key.app.makerKeyId))?.key;
  const end = maker?.expiresAt ?? null;
  if (end === null || maker?.isForSignIn || end >= (key.expiresAt ?? Number.POSITIVE_INFINITY)) return key;
  return { ...key, expiresAt: end };
}

/** Returns the expiry as it is, or throws AppError `invalid_request` if it is not after `now`. */
export function checkedExpiry(expiresAt: number | null, now: number): number | null {
  if (expiresAt === null) return null;
  if (Number.isSafeInteger(expiresAt) && expiresAt > now && expiresAt <= lastMomentMs) return expiresAt;
  throw invalidRequest('/expires_at', 'must be in the future and before the year 10000');
}

/** Returns a key's own limit as it is, or throws AppError `invalid_request`. */
function checkedItemWrites(limit: number | null): number | null {
  if (limit === null) return null;
  const isWithin = limit >= minItemWritesPerMinute && limit <= maxItemWritesPerMinute;
  if (Number.isInteger(limit) && isWithin) return limit;
  const bounds = `${minItemWritesPerMinute} to ${maxItemWritesPerMinute}`;
  throw invalidRequest('/item_writes_per_minute', `must be a whole number from ${bounds}`);
}

/** Keys of a member, or those of the apps that a key let act. */
export type KeysOf = { memberId: string } | { makerKeyId: string };

/** A key and the hash of its secret. */
export interface StoredKey {
  key: Key;
  /** 64 lower-case hex digits. */
  secretHash: string;
}

/** A position in a team's keys, which are ordered by creation, then by id. */
export interface KeyPosition {
  /** Milliseconds since the epoch. */
  createdAt: number;
  keyId: string;
}

/** Stores keys. Every method may also throw AppError `unavailable`. */
export interface KeyStore {
  /** Stores a new key durably. Throws AppError `already_exists` if its id is taken. */
  create(teamId: string, stored: StoredKey): Promise<void>;
  /** The only look-up without a team, because the key determines the team. */
  findById(keyId: string): Promise<StoredKey | undefined>;
  /** Up to `limit` keys, oldest first, those after `after`; of a member, or of the apps that a key let act. */
  list(teamId: string, after: KeyPosition, limit: number, of?: KeysOf): Promise<Key[]>;
  /** How many keys of a member are valid at `at`, without those made for sessions and for apps. */
  countValid(teamId: string, memberId: string, at: number): Promise<number>;
  /** How many keys of apps are valid at `at`: of a member, or of those that a key let act. */
  countApps(teamId: string, of: KeysOf, at: number): Promise<number>;
  /** Revokes at `at`, durably; an earlier revocation stays. Undefined if the team has no such key. */
  revoke(teamId: string, keyId: string, at: number): Promise<Key | undefined>;
  /**
   * Revokes at `at`, durably, every key of a team that is for a handle and not revoked yet, and returns how many these
   * were.
   */
  revokeOfMember(teamId: string, memberHandle: string, at: number): Promise<number>;
  /**
   * Revokes at `at`, durably, the keys of apps that are not revoked yet: one, or those that a key let act. Returns each key
   * to exactly one of those who revoke it, even at the same time.
   */
  revokeApps(teamId: string, of: { keyId: string } | { makerKeyId: string }, at: number): Promise<Key[]>;
  /**
   * Removes durably the keys of a member that were made for sessions and had expired at `at`, and the oldest of the others
   * beyond `maxOfMember`; up to 100 of each.
   */
  removeSignInKeys(teamId: string, memberId: string, at: number, maxOfMember: number): Promise<void>;
  /** Removes durably up to 100 keys of apps of a member that had expired at `at`, or are revoked. */
  removeEndedApps(teamId: string, memberId: string, at: number): Promise<void>;
  /**
   * Lets a key that is not revoked expire at `at`, durably, unless it expires sooner. Undefined if the team has no such
   * key.
   */
  expire(teamId: string, keyId: string, at: number): Promise<Key | undefined>;
  /**
   * Sets when the key of an app that is not revoked expires, durably. Undefined if the team has no such key.
   */
  setEndOfApp(teamId: string, keyId: string, at: number): Promise<Key | undefined>;
  /** Records a use at `at`, unless one is recorded that is later than `at` minus `intervalMs`. */
  recordUse(teamId: string, keyId: string, at: number, intervalMs: number): Promise<void>;
}

/** A key to be made. */
export interface WantedKey {
  team: Pick<Team, 'teamId' | 'slug'>;
  member: Pick<Member, 'memberId' | 'handle'>;
  tier: KeyTier;
  /** Undefined: the default of the tier. */
  access?: Access | undefined;
  /** Null: the operator's limit. */
  itemWritesPerMinute: number | null;
  /** Milliseconds since the epoch; null: never. */
  expiresAt: number | null;
  /** True if it is made for the session of a person who signed in with an address. */
  isForSignIn?: true;
  /** The app that it is made for. */
  app?: KeyApp;
}

/**
 * Whose keys a caller looks after: everybody's without a team, else those of a team, of one of its members, or of the apps
 * that one key let act.
 */
export interface KeyOwners {
  teamId?: string | undefined;
  memberId?: string | undefined;
  makerKeyId?: string | undefined;
}

/** The use cases of keys. */
export interface Keys {
  /**
   * `text` is the whole key and exists only in this answer. Throws AppError `invalid_request`, `not_found` if the
   * member was removed meanwhile.
   */
  create(wanted: WantedKey): Promise<{ key: Key; text: string }>;
  /**
   * Creates a key for the member who holds the valid key `ownKeyId`, with at most its rights: its limit of item writes, and
   * its expiry, which is that of `wanted` null. Throws AppError as `create`, `conflict` for too many keys.
   */
  createOwn(
    wanted: Omit<WantedKey, 'itemWritesPerMinute'>,
    ownKeyId: string,
  ): Promise<{ key: Key; text: string }>;
  /**
   * Revokes a key with the apps and the invitations that were made with it; `apps` are the keys of those that it ended.
   * Revoking again changes nothing. Only a key of these owners. Throws AppError `not_found`.
   */
  revoke(keyId: string, of: KeyOwners): Promise<{ key: Key; apps: Key[] }>;
  /** Revokes the key of an app. True for exactly one of those who do, even at the same time. */
  revokeApp(key: Pick<Key, 'teamId' | 'keyId'>): Promise<boolean>;
  /**
   * Replaces a key by one of the same member, tier, access and limit that lives as long as the old one was made for; the
   * old one expires after `overlapMs`, at most 30 days. Only a key of these owners. Throws AppError
   * `invalid_request`, `not_found`, `conflict` for a key that cannot be replaced.
   */
  rotate(
    keyId: string,
    how: { overlapMs: number; of: KeyOwners },
  ): Promise<{ key: Key; text: string; replaced: Key }>;
  /** Keys of a team, or of one member, after a position, oldest first. */
  list(of: KeyOwners & { teamId: string }, after: KeyPosition, pageSize: number): Promise<Page<Key>>;
}

/** The part of the store of invitations that the revocation of a key needs. */
export interface InvitationsOfKey {
  removeOfKey(teamId: string, keyId: string): Promise<void>;
}

export interface KeysDependencies {
  store: KeyStore;
  invitations: InvitationsOfKey;
  members: Pick<MemberStore, 'findByHandle'>;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** Unbiased and unpredictable: a whole number from 0 to bound - 1. */
  randomInt: (bound: number) => number;
}

/** Creates the use cases of keys. */
export function createKeys({ store, invitations, members, clock, randomInt }: KeysDependencies): Keys {
  async function findOf({ teamId, memberId, makerKeyId }: KeyOwners, keyId: string): Promise<Key> {
    const key = (await store.findById(keyId))?.key;
    const isOf = (owner: string | undefined, wanted: string | undefined) =>
      wanted === undefined || owner === wanted;
    const isOwn = isOf(key?.memberId, memberId) && isOf(key?.app?.makerKeyId, makerKeyId);
    if (key && isOf(key.teamId, teamId) && isOwn) return key;
    throw noSuchKey();
  }

  async function create({
    team,
    member,
    tier,
    access = defaultAccess[tier],
    ...wanted
  }: WantedKey): Promise<{ key: Key; text: string }> {
    const createdAt = clock();
    const { text, keyId, secret } = createKeyText('tms', randomInt);
    const key = {
      keyId,
      teamId: team.teamId,
      teamSlug: team.slug,
      memberId: member.memberId,
      memberHandle: member.handle,
      tier,
      access,
      itemWritesPerMinute: checkedItemWrites(wanted.itemWritesPerMinute),
      createdAt,
      expiresAt: checkedExpiry(wanted.expiresAt, createdAt),
      isForSignIn: wanted.isForSignIn ?? false,
      ...(wanted.app && { app: wanted.app }),
      revokedAt: null,
      lastUsedAt: null,
    };
    await store.create(team.teamId, { key, secretHash: hashSecret(secret) });
    // A removal deletes the member before it revokes the keys for the last time, so either that finds this key or
    // this finds no member.
    const present = await members.findByHandle(team.teamId, member.handle);
    if (present?.memberId !== member.memberId) {
      await store.revoke(team.teamId, keyId, clock());
      throw new AppError('not_found', 'There is no such member in this team.');
    }
    // The same with the key that let the app act: it is revoked before those that it made.
    const maker = wanted.app && (await store.findById(wanted.app.makerKeyId))?.key;
    if (wanted.app && (maker === undefined || maker.revokedAt !== null)) {
      await store.revoke(team.teamId, keyId, clock());
      throw noSuchKey();
    }
    if (key.isForSignIn) {
      await store.removeSignInKeys(team.teamId, member.memberId, createdAt, maxSignInKeys);
    }
    if (wanted.app) await store.removeEndedApps(team.teamId, member.memberId, createdAt);
    return { key, text };
  }

  /** Throws AppError `conflict` if the holder of a key has as many keys of this sort as members may make. */
  async function checkRoom({ teamId, memberId, keyId, isForSignIn }: Key, isForApp: boolean): Promise<void> {
    const now = clock();
    if (!isForApp) {
      if ((await store.countValid(teamId, memberId, now)) >= maxOwnKeys) throw tooManyKeys();
      return;
    }
    const of = isForSignIn ? { memberId } : { makerKeyId: keyId };
    const max = isForSignIn ? maxAppsOfMember : maxAppsOfKey;
    if ((await store.countApps(teamId, of, now)) >= max) throw tooManyApps(max);
  }

  return {
    create,

    async createOwn(wanted, ownKeyId) {
      const { teamId, memberId } = { ...wanted.team, ...wanted.member };
      const own = await findOf({ teamId, memberId }, ownKeyId);
      const now = clock();
      const latest = own.isForSignIn ? now + maxOwnLifetimeMs : own.expiresAt;
      const expiresAt = wanted.expiresAt ?? latest;
      if (latest !== null && expiresAt !== null && expiresAt > latest) {
        throw invalidRequest('/expires_at', `must be at most ${new Date(latest).toISOString()}`);
      }
      await checkRoom(own, wanted.app !== undefined);
      return create({ ...wanted, expiresAt, itemWritesPerMinute: own.itemWritesPerMinute });
    },

    async revoke(keyId, of) {
      const { teamId } = await findOf(of, keyId);
      const key = await store.revoke(teamId, keyId, clock());
      if (!key) throw noSuchKey();
      const apps = await store.revokeApps(teamId, { makerKeyId: keyId }, clock());
      await invitations.removeOfKey(teamId, keyId);
      return { key, apps };
    },

    revokeApp: async ({ teamId, keyId }) => (await store.revokeApps(teamId, { keyId }, clock())).length > 0,

    async rotate(keyId, { overlapMs, of }) {
      if (overlapMs > maxOverlapMs) throw invalidRequest('/overlap_seconds', 'must be at most 30 days');
      const old = await findOf(of, keyId);
      const now = clock();
      if (!isActive(old, now) || old.isForSignIn || old.app !== undefined) throw notReplaceable();
      const lifetimeMs = old.expiresAt === null ? null : old.expiresAt - old.createdAt;
      const { key, text } = await create({
        team: { teamId: old.teamId, slug: old.teamSlug },
        member: { memberId: old.memberId, handle: old.memberHandle },
        tier: old.tier,
        access: old.access,
        itemWritesPerMinute: old.itemWritesPerMinute,
        expiresAt: lifetimeMs === null ? null : Math.min(now + lifetimeMs, lastMomentMs),
      });
      const replaced = await store.expire(old.teamId, keyId, now + overlapMs);
      if (replaced) return { key, text, replaced };
      // Somebody revoked it meanwhile, and that must not be answered with another key.
      await store.revoke(old.teamId, key.keyId, clock());
      throw notReplaceable();
    },

    async list({ teamId, memberId, makerKeyId }, after, pageSize) {
      const ofMember = memberId === undefined ? undefined : { memberId };
      const of = makerKeyId === undefined ? ofMember : { makerKeyId };
      const page = await readPage(pageSize, (limit) => store.list(teamId, after, limit, of));
      return { ...page, rows: await Promise.all(page.rows.map((key) => asItEnds(store, key))) };
    },
  };
}

function noSuchKey(): AppError {
  return new AppError('not_found', 'There is no such key.');
}

function tooManyKeys(): AppError {
  return new AppError('conflict', `You have ${maxOwnKeys} valid keys; revoke one first.`);
}

function tooManyApps(max: number): AppError {
  return new AppError('conflict', `You have ${max} connected apps; disconnect one first.`);
}

function notReplaceable(): AppError {
  return new AppError(
    'conflict',
    'Only a key that is valid, and that no sign-in and no app has, can be replaced; create a key.',
  );
}
