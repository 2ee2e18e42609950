import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type AuthService, type Key, type Member, MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access as ProtoAccess } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier as ProtoTier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type Access, isAccess } from '@teammemory/vocabulary/access.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { CallOptions } from '../call-options.ts';
import { enumNumber, type RecordClient, type RecordOf } from './records.ts';
import { everyPage, given } from './rpc-calls.ts';

/** Records have the form of the public API: names in snake_case, times in RFC 3339 and UTC, null for never. */
export interface TeamRecord {
  team_id: string;
  slug: string;
  name: string;
  created_at: string | null;
}

export interface MemberRecord {
  member_id: string;
  handle: string;
  role: 'admin' | 'member';
  created_at: string | null;
}

export interface KeyRecord {
  key_id: string;
  /** Handle of the member. */
  member: string;
  tier: Tier;
  /** What the key may do. */
  access: Access;
  /** Null: the limit that the operator gives every key. */
  item_writes_per_minute: number | null;
  /** Whether somebody's signing in through the identity provider made it; nobody knows its secret. */
  for_sign_in: boolean;
  /** The app that a member let act with it: the address of its document. Empty: it is no app's. */
  client_id: string;
  created_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** Accurate to five minutes. */
  last_used_at: string | null;
}

function memberFrom({ role, ...member }: RecordOf<Member>): MemberRecord {
  return { ...member, role: role === 'admin' ? 'admin' : 'member' };
}

function keyFrom({ member_handle: member, tier, access, ...key }: RecordOf<Key>): KeyRecord {
  return {
    ...key,
    member,
    tier: tier === 'external' ? 'external' : 'team',
    access: isAccess(access) ? access : 'write',
  };
}

export interface NewKey {
  /** Slug of the team. */
  team: string;
  /** Handle of the member. */
  member: string;
  tier: Tier;
  /** If it is missing: `write` for tier team, `own` for tier external. */
  access?: Access | undefined;
  /** A limit of its own, 1 to 1,000,000. If it is missing, the operator's holds. */
  itemWritesPerMinute?: number | undefined;
  /** If it is missing, the key never expires. */
  expiresAt?: Date;
}

/** What administrators do with teams, members and keys. Every method throws RpcError. */
export interface AccountMethods {
  createTeam(team: { slug: string; name: string }, options?: CallOptions): Promise<TeamRecord>;
  /** Yields all teams page by page, by slug. */
  listTeams(options?: CallOptions): AsyncGenerator<TeamRecord[]>;
  addMember(
    member: { team: string; handle: string; role: 'admin' | 'member' },
    options?: CallOptions,
  ): Promise<MemberRecord>;
  /** Yields the members of a team page by page, by handle. */
  listMembers(team: string, options?: CallOptions): AsyncGenerator<MemberRecord[]>;
  /** Changes what a member may do, at the public API within 5 seconds. */
  setMemberRole(
    member: { team: string; handle: string; role: 'admin' | 'member' },
    options?: CallOptions,
  ): Promise<MemberRecord>;
  /** Removes a member and revokes the member's keys. What the member wrote stays. */
  removeMember(
    member: { team: string; handle: string },
    options?: CallOptions,
  ): Promise<{ revoked_keys: number }>;
  /** Makes a key. Only this result ever contains `key`, the whole key. */
  createKey(key: NewKey, options?: CallOptions): Promise<KeyRecord & { key: string }>;
  /** Revokes a key. Succeeds again if the key was revoked before. */
  revokeKey(keyId: string, options?: CallOptions): Promise<KeyRecord>;
  /**
   * Replaces a key by a new one like it, which only this result contains as `key`. The old one expires after
   * `overlapSeconds`, 0 to 2,592,000; if they are missing, after a day.
   */
  rotateKey(
    keyId: string,
    how?: { overlapSeconds?: number | undefined },
    options?: CallOptions,
  ): Promise<KeyRecord & { key: string; replaced: KeyRecord }>;
  /** Yields the keys of a team page by page, oldest first, without their secrets. */
  listKeys(team: string, options?: CallOptions): AsyncGenerator<KeyRecord[]>;
}

export function accountMethods(auth: RecordClient<typeof AuthService>): AccountMethods {
  return {
    createTeam: async (team, options) => given((await auth.createTeam(team, options)).team),
    async *listTeams(options) {
      const pages = everyPage((pageToken) => auth.listTeams({ pageSize: maxPageRows, pageToken }, options));
      for await (const { teams } of pages) yield teams;
    },
    async addMember({ team, handle, role }, options) {
      const request = { teamSlug: team, handle, role: enumNumber(MemberRole, role) };
      return memberFrom(given((await auth.addMember(request, options)).member));
    },
    async setMemberRole({ team, handle, role }, options) {
      const request = { teamSlug: team, handle, role: enumNumber(MemberRole, role) };
      return memberFrom(given((await auth.setMemberRole(request, options)).member));
    },
    async *listMembers(team, options) {
      const pages = everyPage((pageToken) =>
        auth.listMembers({ teamSlug: team, pageSize: maxPageRows, pageToken }, options),
      );
      for await (const { members } of pages) yield members.map(memberFrom);
    },
    removeMember: ({ team, handle }, options) => auth.removeMember({ teamSlug: team, handle }, options),
    async createKey({ team, member, tier, access, itemWritesPerMinute, expiresAt }, options) {
      const request = {
        teamSlug: team,
        memberHandle: member,
        tier: enumNumber(ProtoTier, tier),
        access: enumNumber(ProtoAccess, access),
        itemWritesPerMinute,
        expiresAt: expiresAt && timestampFromDate(expiresAt),
      };
      const { key, secret_key } = await auth.createKey(request, options);
      return { ...keyFrom(given(key)), key: secret_key };
    },
    revokeKey: async (keyId, options) => keyFrom(given((await auth.revokeKey({ keyId }, options)).key)),
    async rotateKey(keyId, { overlapSeconds } = {}, options) {
      const { key, secret_key, replaced } = await auth.rotateKey({ keyId, overlapSeconds }, options);
      return { ...keyFrom(given(key)), key: secret_key, replaced: keyFrom(given(replaced)) };
    },
    async *listKeys(team, options) {
      const pages = everyPage((pageToken) =>
        auth.listKeys({ teamSlug: team, pageSize: maxPageRows, pageToken }, options),
      );
      for await (const { keys } of pages) yield keys.map(keyFrom);
    },
  };
}
