import { Tier } from '@teammemory/proto/common/v1/tier_pb.ts';
import { invalidRequest } from '../domain/invalid-request.ts';
import type { KeyTier } from '../domain/key.ts';

/** A tier as RPC writes it. */
export function tierToProto(tier: KeyTier): Tier {
  return tier === 'team' ? Tier.TEAM : Tier.EXTERNAL;
}

/** A tier from a request; throws AppError `invalid_request` for an unset or unknown one. */
export function tierFromProto(tier: Tier): KeyTier {
  if (tier === Tier.TEAM) return 'team';
  if (tier === Tier.EXTERNAL) return 'external';
  throw invalidRequest('/tier', 'must be team or external');
}
