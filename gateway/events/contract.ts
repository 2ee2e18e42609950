import { z } from 'zod';
import { instant } from '../contract/answer-types.ts';

const newest = (list: string) =>
  instant(
    `The newest \`updated_at\` of the ${list} that the key may see; null if it may see none.`,
  ).nullable();

/** The times of the lists as one key sees them. */
const newestTimes = z
  .object({ items: newest('items'), tasks: newest('tasks'), decisions: newest('decisions') })
  .meta({
    id: 'Changed',
    description: 'When each list changed last. Removed rows count, as with `include_deleted=true`.',
  });

export type NewestTimes = z.output<typeof newestTimes>;

/** The events of GET /events with their payloads (docs/contract.md, "Additions"). */
export const changeEvents = { changed: newestTimes };
