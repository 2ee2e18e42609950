import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { KeySchema, type Key as ProtoKey } from '@teammemory/proto/auth/v1/auth_pb.ts';
import { type Caller, CallerSchema } from '@teammemory/proto/common/v1/caller_pb.ts';
import type { Key } from '../domain/key.ts';
import { tierToProto } from './tier-proto.ts';
import { optionalTimestampToProto } from './timestamp-proto.ts';

/** A key as RPC writes it. */
export function keyToProto(key: Key): ProtoKey {
  return create(KeySchema, {
    keyId: key.keyId,
    memberHandle: key.memberHandle,
    tier: tierToProto(key.tier),
    createdAt: timestampFromMs(key.createdAt),
    expiresAt: optionalTimestampToProto(key.expiresAt),
    revokedAt: optionalTimestampToProto(key.revokedAt),
    lastUsedAt: optionalTimestampToProto(key.lastUsedAt),
  });
}

/** Whom a key stands for, as RPC writes it. */
export function callerToProto({ teamId, teamSlug, memberId, memberHandle, tier, keyId }: Key): Caller {
  return create(CallerSchema, {
    teamId,
    teamSlug,
    memberId,
    memberHandle,
    tier: tierToProto(tier),
    keyId,
  });
}
