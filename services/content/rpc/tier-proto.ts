import { Tier as TierProto } from '@teammemory/proto/common/v1/tier_pb.ts';
import type { Tier } from '../domain/tier.ts';

/** A stored tier as protobuf writes it. */
export function tierToProto(tier: Tier): TierProto {
  return tier === 'team' ? TierProto.TEAM : TierProto.EXTERNAL;
}

/** A tier of protobuf; undefined where none is set, or one that we do not know. */
export function tierFromProto(tier: TierProto | undefined): Tier | undefined {
  if (tier === TierProto.TEAM) return 'team';
  return tier === TierProto.EXTERNAL ? 'external' : undefined;
}
