import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { expect, test } from 'vitest';
import type { Key } from '../domain/key.ts';
import { callerToProto, keyToProto } from './key-proto.ts';

const key: Key = {
  keyId: '0123456789ABCDEF',
  teamId: 'team-id',
  teamSlug: 'acme',
  memberId: 'member-id',
  memberHandle: 'ada',
  tier: 'external',
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
    createdAt: timestampFromMs(1),
    expiresAt: timestampFromMs(2),
    lastUsedAt: timestampFromMs(4),
  });
  expect(shown.revokedAt).toBeUndefined();
});

test('a caller is who the key belongs to', () => {
  expect(callerToProto(key)).toMatchObject({
    teamId: 'team-id',
    teamSlug: 'acme',
    memberId: 'member-id',
    memberHandle: 'ada',
    tier: Tier.EXTERNAL,
    keyId: '0123456789ABCDEF',
  });
});
