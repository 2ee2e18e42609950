import { canonicalTier, type Tier } from '@teammemory/vocabulary/tier.ts';
import type { InStep } from '../plan/plan-types.ts';
import { SyncError } from '../sync-error.ts';
import type { FrontMatter } from './front-matter.ts';

/**
 * Returns the tier that a front matter's `audience` asks for, in any case, or undefined without one. Throws SyncError
 * `invalid_audience` for what is no tier: a guess could publish what was meant for a few people.
 */
export function frontmatterTier(frontmatter: FrontMatter): Tier | undefined {
  const audience = Object.entries(frontmatter).find(([key]) => key.toLowerCase() === 'audience')?.[1];
  if (audience === undefined || audience === null) return undefined;
  const tier = typeof audience === 'string' ? canonicalTier(audience) : undefined;
  if (tier === 'team' || tier === 'external') return tier;
  throw new SyncError('invalid_audience', 'has an audience that is neither team nor external');
}

export interface TierQuestion {
  /** What the user asked for in this run. */
  asked: Tier | undefined;
  /** What the file's front matter says now. */
  audience: Tier | undefined;
  /** The version that was edited or renamed. */
  origin: InStep | undefined;
  /** What the front matter of that version said; `unknown` if its bytes are no longer there. */
  originAudience: Tier | undefined | 'unknown';
  /** The tier of the key. */
  keyTier: Tier;
  /** Others removed the item, and it is made again. */
  revives: boolean;
  /** Others changed the tier, and the user learns of it only in this run. */
  tierIsNews: boolean;
}

/**
 * Decides the tier of a push: what the user asked for, else the front matter, else the tier of the version that was edited,
 * else that of the key. What is internal becomes external only if somebody asks for it by name, or if this very edit changed
 * the audience: a copy from before others made it internal cannot undo that. `held` tells that this stopped it.
 */
export function tierToPush(question: TierQuestion): { tier: Tier; held: boolean } {
  const { asked, audience, origin, originAudience, keyTier, revives, tierIsNews } = question;
  if (asked !== undefined && !tierIsNews) return { tier: asked, held: false };
  const wanted = asked ?? audience ?? origin?.tier ?? keyTier;
  // An external key writes nothing else, and sees nothing that became internal.
  if (wanted === 'team' || keyTier === 'external') return { tier: wanted, held: false };
  if (revives) return { tier: 'team', held: true };
  if (origin?.tier !== 'team') return { tier: wanted, held: false };
  const isNewInThisEdit = originAudience === undefined || originAudience === 'team';
  const mayWiden = isNewInThisEdit && !origin.narrowed && !tierIsNews;
  return mayWiden ? { tier: 'external', held: false } : { tier: 'team', held: true };
}
