import type { Writer } from './item-decision.ts';
import type { Quota, Share } from './quota.ts';
import type { Tier } from './tier.ts';

/** Whose share an item takes: that of its last writer, with what keys of that tier wrote. */
export function ownerOf({ tier, handle }: Writer): string {
  return `${tier}/${handle}`;
}

/** A quota in which each member has a share of the team's, by the tier of the key that wrote. */
export function itemQuota(team: Share, members: Record<Tier, Share>): Quota {
  return { team, of: (owner) => members[owner.startsWith('external/') ? 'external' : 'team'] };
}
