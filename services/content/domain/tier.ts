/** Who may see a row of any list. */
export type { Tier } from '@teammemory/vocabulary/tier.ts';
