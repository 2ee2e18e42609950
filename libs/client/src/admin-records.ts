import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import {
  type Key as KeyMessage,
  type Member as MemberMessage,
  MemberRole,
  type ServiceCredential as ServiceCredentialMessage,
  type Team as TeamMessage,
} from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';

/** Names and shapes as the public API would write them: snake_case, RFC 3339 in UTC, null for never. */
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
  tier: 'team' | 'external';
  created_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** Within five minutes. */
  last_used_at: string | null;
}

export interface ServiceCredentialRecord {
  credential_id: string;
  name: string;
  scopes: string[];
  created_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

export function teamFromProto(team: TeamMessage): TeamRecord {
  return { team_id: team.teamId, slug: team.slug, name: team.name, created_at: time(team.createdAt) };
}

export function memberFromProto(member: MemberMessage): MemberRecord {
  return {
    member_id: member.memberId,
    handle: member.handle,
    role: member.role === MemberRole.ADMIN ? 'admin' : 'member',
    created_at: time(member.createdAt),
  };
}

export function keyFromProto(key: KeyMessage): KeyRecord {
  return {
    key_id: key.keyId,
    member: key.memberHandle,
    tier: key.tier === Tier.EXTERNAL ? 'external' : 'team',
    created_at: time(key.createdAt),
    expires_at: time(key.expiresAt),
    revoked_at: time(key.revokedAt),
    last_used_at: time(key.lastUsedAt),
  };
}

export function serviceCredentialFromProto(credential: ServiceCredentialMessage): ServiceCredentialRecord {
  return {
    credential_id: credential.credentialId,
    name: credential.name,
    scopes: credential.scopes,
    created_at: time(credential.createdAt),
    expires_at: time(credential.expiresAt),
    revoked_at: time(credential.revokedAt),
  };
}

function time(timestamp: Timestamp | undefined): string | null {
  return timestamp === undefined ? null : timestampDate(timestamp).toISOString();
}
