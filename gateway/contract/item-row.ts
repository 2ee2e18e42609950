import { z } from 'zod';
import { instant, prose, visibleTo } from './answer-types.ts';
import { deletedRow, pageAnswer } from './page-answer.ts';

const rowKey = prose('Relative POSIX path from the workspace root: what identifies the item.');

/** An item as it is pulled. */
const itemRow = z
  .object({
    row_key: rowKey,
    title: prose('Front matter title, else the first heading, else the file name; at most 300 characters.'),
    content: prose('Markdown, as it was pushed.'),
    frontmatter: z.looseObject({}).meta({ description: 'As it was pushed, whatever its keys.' }),
    tier: visibleTo('Who may see it.'),
    checksum: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/)
      .meta({ description: "The client's checksum, in lower case." }),
    updated_at: instant('When this version was stored; strictly increasing within a team.'),
    updated_by: prose('Handle of the member whose key pushed it.'),
  })
  .meta({ id: 'Item', description: 'An item as stored.' });

/** The answer of GET /items. */
export const itemPage = pageAnswer(
  'ItemPage',
  'items',
  itemRow,
  deletedRow('DeletedItem', { row_key: rowKey }),
);
