import { create } from '@bufbuild/protobuf';
import { TimestampSchema, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { MemberRole } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { Access } from '@teammemory/proto/common/v1/access_pb.ts';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { expect, test } from 'vitest';
import type { Key } from '../domain/keys.ts';
import {
  accessFromProto,
  callerToProto,
  keyToProto,
  memberToProto,
  optionalTimestampFromProto,
  optionalTimestampToProto,
  roleFromProto,
  roleToProto,
  serviceCredentialToProto,
  teamToProto,
  tierFromProto,
  tierToProto,
} from './auth-proto.ts';

test('moments and their absence survive the way there and back, to the millisecond', () => {
  for (const ms of [null, 0, 1, 1_795_219_200_123, 253_402_300_799_999]) {
    expect(optionalTimestampFromProto(optionalTimestampToProto(ms))).toBe(ms);
  }
});

test('a moment beyond any calendar is a number that no rule accepts, not a crash', () => {
  const timestamp = create(TimestampSchema, { seconds: 2n ** 63n - 1n, nanos: -1 });
  expect(optionalTimestampFromProto(timestamp)).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
});

test('tiers survive the way there and back', () => {
  for (const tier of ['team', 'external'] as const) expect(tierFromProto(tierToProto(tier))).toBe(tier);
  expect(tierToProto('external')).toBe(Tier.EXTERNAL);
});

test('a tier that is unset or unknown is refused, never taken for one', () => {
  for (const tier of [Tier.UNSPECIFIED, 3 as Tier, -1 as Tier]) {
    expect(() => tierFromProto(tier)).toThrowError(expect.objectContaining({ code: 'invalid_request' }));
  }
});

test('roles survive the way there and back', () => {
  for (const role of ['admin', 'member'] as const) expect(roleFromProto(roleToProto(role))).toBe(role);
  expect(roleToProto('admin')).toBe(MemberRole.ADMIN);
});

test('a role that is unset or unknown is refused, never taken for one', () => {
  for (const role of [MemberRole.UNSPECIFIED, 3 as MemberRole, -1 as MemberRole]) {
    expect(() => roleFromProto(role)).toThrowError(expect.objectContaining({ code: 'invalid_request' }));
  }
});

test('a team is shown as it is stored', () => {
  expect(teamToProto({ teamId: 'id', slug: 'acme', name: 'Acme', createdAt: 1_500 })).toMatchObject({
    teamId: 'id',
    slug: 'acme',
    name: 'Acme',
    createdAt: timestampFromMs(1_500),
  });
});

test('a member is shown as it is stored', () => {
  expect(memberToProto({ memberId: 'id', handle: 'ada', role: 'admin', createdAt: 1_500 })).toMatchObject({
    memberId: 'id',
    handle: 'ada',
    role: MemberRole.ADMIN,
    createdAt: timestampFromMs(1_500),
  });
});

const key: Key = {
  keyId: '0123456789ABCDEF',
  teamId: 'team-id',
  teamSlug: 'acme',
  memberId: 'member-id',
  memberHandle: 'ada',
  tier: 'external',
  access: 'own',
  itemWritesPerMinute: null,
  isForSignIn: false,
  createdAt: 1,
  expiresAt: 2,
  revokedAt: null,
  lastUsedAt: 4,
};

test('a key is shown with its times, and with nothing where there is none', () => {
  const shown = keyToProto(key);
  expect(shown).toMatchObject({
    keyId: '0123456789ABCDEF',
    memberHandle: 'ada',
    tier: Tier.EXTERNAL,
    access: Access.OWN,
    createdAt: timestampFromMs(1),
    expiresAt: timestampFromMs(2),
    lastUsedAt: timestampFromMs(4),
  });
  expect(shown.revokedAt).toBeUndefined();
  expect(shown.itemWritesPerMinute).toBeUndefined();
  expect(keyToProto({ ...key, itemWritesPerMinute: 7 }).itemWritesPerMinute).toBe(7);
});

test('an access that is not known is refused, and one that is not set is left to the domain', () => {
  const named = [Access.READ, Access.PROPOSE, Access.OWN, Access.WRITE].map(accessFromProto);
  expect(named).toEqual(['read', 'propose', 'own', 'write']);
  expect(accessFromProto(Access.UNSPECIFIED)).toBeUndefined();
  for (const unknown of [5, -1, Number.NaN] as Access[]) {
    expect(() => accessFromProto(unknown)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  }
});

test('a caller is who the key belongs to', () => {
  expect(callerToProto(key)).toMatchObject({
    teamId: 'team-id',
    teamSlug: 'acme',
    memberId: 'member-id',
    memberHandle: 'ada',
    tier: Tier.EXTERNAL,
    keyId: '0123456789ABCDEF',
    access: Access.OWN,
  });
});

test('a service credential is written with every field, times that are unset left out', () => {
  const fields = {
    credentialId: '0123456789ABCDEF',
    name: 'search',
    scopes: ['auth:read', 'feed:read'],
    createdAt: 1,
    expiresAt: 2,
  };
  const written = serviceCredentialToProto({ ...fields, revokedAt: null });
  expect(written).toMatchObject({ ...fields, createdAt: timestampFromMs(1), expiresAt: timestampFromMs(2) });
  expect(written.revokedAt).toBeUndefined();
});
