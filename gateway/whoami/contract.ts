import { accesses, maxItemWritesPerMinute, minItemWritesPerMinute } from '@teammemory/vocabulary/access.ts';
import { z } from 'zod';
import { instant, prose, slug, visibleTo } from '../contract/answer-types.ts';

/** The answer of GET /whoami. */
export const keyDescription = z
  .object({
    team: slug('The team of the key, as X-Svc-Team names it.'),
    member: prose('Handle of the member whose key it is.'),
    tier: visibleTo('What the key sees: team sees both tiers, external sees external only.'),
    access: z.enum(accesses).meta({
      description:
        'What the key may do: read pulls and asks; propose also pushes items that wait until a reviewer accepts them; own pushes new items, and changes or removes items that its member wrote last; write does everything its tier allows.',
    }),
    key_id: prose('The public part of the key, its 16 characters after "tms_".'),
    expires_at: instant('When the key expires; null if it does not.').nullable(),
    item_writes_per_minute: z
      .number()
      .int()
      .min(minItemWritesPerMinute)
      .max(maxItemWritesPerMinute)
      .meta({ description: 'Item writes of this key in any 60 seconds.' }),
  })
  .meta({ id: 'KeyDescription' });

export type KeyDescription = z.output<typeof keyDescription>;
