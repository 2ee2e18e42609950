import { AppError } from '@teammemory/errors/app-error.ts';
import { Tier as TierProto } from '@teammemory/proto/common/v1/tier_pb.ts';
import type { Tier } from '../domain/passages/passage.ts';

/** A tier as RPC writes it. */
export function tierToProto(tier: Tier): TierProto {
  return tier === 'team' ? TierProto.TEAM : TierProto.EXTERNAL;
}

/** A tier that another service of ours sent; throws AppError `internal` for an unset or unknown one. */
export function tierFromProto(tier: TierProto): Tier {
  if (tier === TierProto.TEAM) return 'team';
  if (tier === TierProto.EXTERNAL) return 'external';
  const cause = new Error(`tier ${tier} is neither team nor external`);
  throw new AppError('internal', 'Something went wrong on our side.', { cause });
}
