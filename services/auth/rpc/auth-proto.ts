import { create } from '@bufbuild/protobuf';
import { type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import {
  InvitationSchema,
  KeySchema,
  MemberSchema,
  type Invitation as ProtoInvitation,
  type Key as ProtoKey,
  type Member as ProtoMember,
  MemberRole as ProtoRole,
  type ServiceCredential as ProtoServiceCredential,
  type SignInAddress as ProtoSignInAddress,
  type Team as ProtoTeam,
  ServiceCredentialSchema,
  SignInAddressSchema,
  TeamSchema,
} from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access as ProtoAccess } from '@teammemory/proto/common/v1/access_pb.ts';
import { type Caller, CallerSchema } from '@teammemory/proto/common/v1/caller_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { type Access, accesses } from '@teammemory/vocabulary/access.ts';
import type { Invitation } from '../domain/invitations.ts';
import type { Key, KeyTier } from '../domain/keys.ts';
import type { Member, MemberRole } from '../domain/members.ts';
import { invalidRequest } from '../domain/request-rules.ts';
import type { ServiceCredential } from '../domain/service-credentials.ts';
import type { SignInAddress } from '../domain/sign-in-addresses.ts';
import type { Team } from '../domain/teams.ts';

/** Milliseconds since the epoch, or null, as a field that may be unset. */
export function optionalTimestampToProto(ms: number | null): Timestamp | undefined {
  return ms === null ? undefined : timestampFromMs(ms);
}

/** A field that may be unset as milliseconds since the epoch, or null; finer fractions are rounded. */
export function optionalTimestampFromProto(timestamp: Timestamp | undefined): number | null {
  return timestamp === undefined ? null : timestampMs(timestamp);
}

/** Maps a tier to its enum value. */
export function tierToProto(tier: KeyTier): Tier {
  return tier === 'team' ? Tier.TEAM : Tier.EXTERNAL;
}

/** A tier from a request; throws AppError `invalid_request` for an unset or unknown one. */
export function tierFromProto(tier: Tier): KeyTier {
  if (tier === Tier.TEAM) return 'team';
  if (tier === Tier.EXTERNAL) return 'external';
  throw invalidRequest('/tier', 'must be team or external');
}

/** The enum value of an access. */
export const protoAccess: Readonly<Record<Access, ProtoAccess>> = {
  read: ProtoAccess.READ,
  propose: ProtoAccess.PROPOSE,
  own: ProtoAccess.OWN,
  write: ProtoAccess.WRITE,
};

/** An access from a request, undefined if it is not set; throws AppError `invalid_request` for an unknown one. */
export function accessFromProto(access: ProtoAccess): Access | undefined {
  if (access === ProtoAccess.UNSPECIFIED) return undefined;
  for (const known of accesses) if (protoAccess[known] === access) return known;
  throw invalidRequest('/access', `must be one of ${accesses.join(', ')}`);
}

/** Maps a role to its enum value. */
export function roleToProto(role: MemberRole): ProtoRole {
  return role === 'admin' ? ProtoRole.ADMIN : ProtoRole.MEMBER;
}

/** A role from a request; throws AppError `invalid_request` for an unset or unknown one. */
export function roleFromProto(role: ProtoRole): MemberRole {
  if (role === ProtoRole.ADMIN) return 'admin';
  if (role === ProtoRole.MEMBER) return 'member';
  throw invalidRequest('/role', 'must be admin or member');
}

/** Maps a team to its message. */
export function teamToProto({ teamId, slug, name, createdAt }: Team): ProtoTeam {
  return create(TeamSchema, { teamId, slug, name, createdAt: timestampFromMs(createdAt) });
}

/** Maps a member to its message. */
export function memberToProto({ memberId, handle, role, createdAt }: Member): ProtoMember {
  return create(MemberSchema, {
    memberId,
    handle,
    role: roleToProto(role),
    createdAt: timestampFromMs(createdAt),
  });
}

/** Maps an invitation to its message. */
export function invitationToProto(invitation: Invitation): ProtoInvitation {
  return create(InvitationSchema, {
    invitationId: invitation.invitationId,
    role: roleToProto(invitation.role),
    tier: tierToProto(invitation.tier),
    access: protoAccess[invitation.access],
    madeBy: invitation.makerHandle,
    createdAt: timestampFromMs(invitation.createdAt),
    expiresAt: timestampFromMs(invitation.expiresAt),
  });
}

/** Maps a key to its message. */
export function keyToProto(key: Key): ProtoKey {
  return create(KeySchema, {
    keyId: key.keyId,
    memberHandle: key.memberHandle,
    tier: tierToProto(key.tier),
    createdAt: timestampFromMs(key.createdAt),
    expiresAt: optionalTimestampToProto(key.expiresAt),
    revokedAt: optionalTimestampToProto(key.revokedAt),
    lastUsedAt: optionalTimestampToProto(key.lastUsedAt),
    access: protoAccess[key.access],
    forSignIn: key.isForSignIn,
    clientId: key.app?.clientId ?? '',
    ...itemWritesToProto(key),
  });
}

/** A key's own limit as the field that carries it; none where it has none. */
export function itemWritesToProto({ itemWritesPerMinute }: Key): { itemWritesPerMinute?: number } {
  return itemWritesPerMinute === null ? {} : { itemWritesPerMinute };
}

/** Maps the caller of a key to its message. */
export function callerToProto(key: Key, teamAdministrator = false): Caller {
  const { teamId, teamSlug, memberId, memberHandle, tier, keyId, access } = key;
  return create(CallerSchema, {
    teamId,
    teamSlug,
    memberId,
    memberHandle,
    tier: tierToProto(tier),
    keyId,
    access: protoAccess[access],
    teamAdministrator,
  });
}

/** Maps a sign-in address to its message. */
export function signInAddressToProto({
  address,
  memberHandle,
  createdAt,
}: SignInAddress): ProtoSignInAddress {
  return create(SignInAddressSchema, { address, memberHandle, createdAt: timestampFromMs(createdAt) });
}

/** Maps a service credential to its message. */
export function serviceCredentialToProto(credential: ServiceCredential): ProtoServiceCredential {
  const { credentialId, name, scopes, createdAt, expiresAt, revokedAt } = credential;
  return create(ServiceCredentialSchema, {
    credentialId,
    name,
    scopes: [...scopes],
    createdAt: timestampFromMs(createdAt),
    expiresAt: optionalTimestampToProto(expiresAt),
    revokedAt: optionalTimestampToProto(revokedAt),
  });
}
