import { checksumPattern, storedChecksumPattern } from '@teammemory/vocabulary/formats.ts';
import { maxBatchItems, maxFrontmatterBytes } from '@teammemory/vocabulary/limits.ts';
import {
  contentSaysPrivate,
  frontmatterSaysPrivate,
  frontmatterTextSaysPrivate,
} from '@teammemory/vocabulary/private-markers.ts';
import { z } from 'zod';
import { byGuest, instant, prose, visibleTo, whole } from '../contract/answer-types.ts';
import { rowKeyPrefix, text, wireForm } from '../contract/field-types.ts';
import { problem } from '../contract/problem.ts';
import { deletedRow, feedQuery, pageAnswer, pageParameters } from '../feed/contract.ts';

/**
 * The shape of one item. Only types are checked here; the content service checks
 * the values, item by item. The document has the rules of values in words only, because a client that enforced them
 * could not send a batch of which some items are refused.
 */
export const itemShape = z
  .object({
    row_key: text(
      'Relative POSIX path from the workspace root: Unicode NFC, 1 to 1,024 bytes of UTF-8, no empty, "." or ".." segment, no backslash, no control character, and no name by which decisions, tasks and projects are cited.',
    ),
    content: text('Markdown, at most 1 MiB of UTF-8.'),
    frontmatter: z
      .custom<Record<string, unknown>>(isPlainObject, { error: 'must be an object' })
      .register(wireForm, { type: 'object' })
      .meta({ description: 'Stored and returned as given: at most 32 KiB of JSON and 8 levels deep.' }),
    tier: text(
      'team or external, in any case; client and company mean external. admin, private and personal are refused as admin_tier.',
    ),
    checksum: text(
      'The client\'s checksum of this version: "sha256:" and 64 hexadecimal digits. The service compares it and never recomputes it.',
    ),
    base_checksum: text(
      'Checksum of the version that was edited; null if there must be no such item yet, or only a removed one.',
    )
      .nullable()
      .optional(),
    frontmatter_text: text(
      'The front matter as its author wrote it, without the fences: at most 32 KiB of UTF-8. Stored and returned as given; a push without it clears it.',
    ).optional(),
  })
  .meta({
    id: 'ItemToPush',
    description:
      'One item of a batch. An item that breaks a rule is refused by itself, and the others are stored.',
  });

export type ItemToPush = z.output<typeof itemShape>;

/**
 * Returns whether a value of the wrong shape marks itself as private, by its tier
 * or audience. The content service decides about items of the right shape.
 */
export function saysPrivate(value: unknown): boolean {
  const item: Record<string, unknown> = isPlainObject(value) ? value : {};
  const { tier, frontmatter, content, frontmatter_text: text } = item;
  return (
    frontmatterSaysPrivate({ tier }) ||
    frontmatterSaysPrivate(frontmatter) ||
    (typeof content === 'string' && contentSaysPrivate(content)) ||
    (typeof text === 'string' && frontmatterTextSaysPrivate(text.slice(0, maxFrontmatterBytes)))
  );
}

/** The query of DELETE /items/{row_key}. */
export const removalQuery = z.object({
  base_checksum: z
    .string({ error: 'must be given once' })
    .regex(checksumPattern, 'must be "sha256:" and 64 hexadecimal digits')
    .meta({
      description: 'Checksum of the only version to delete. Without it, whatever is stored is deleted.',
    })
    .optional(),
  erase: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .meta({
      description:
        'With true, every version of the item is removed for good, also of an item that was removed before.',
      default: 'false',
    })
    .optional(),
});

/** The body of POST /items as it is checked; its items are checked one by one. */
export const pushBody = batchOf(z.unknown());

/** The same body as it is documented. */
export const describedPushBody = batchOf(itemShape).meta({ id: 'Push' });

function batchOf<Entry extends z.ZodType>(entry: Entry) {
  const size = `must have 1 to ${maxBatchItems} items`;
  return z.object(
    { items: z.array(entry, { error: 'must be an array' }).min(1, size).max(maxBatchItems, size) },
    { error: 'must be an object' },
  );
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const refusedItem = z
  .object({
    index: whole('Index of the item in the batch, from 0.'),
    row_key: prose('As it was sent, cut to 1,024 characters; empty if it was not a string.'),
    code: z.enum([
      'admin_tier',
      'contains_secret',
      'invalid_request',
      'forbidden_tier',
      'forbidden_access',
      'conflict',
      'quota_exceeded',
      'declined',
    ]),
    detail: prose('What is wrong, for people.'),
    current_checksum: prose('With conflict: the stored checksum, or null if nothing is stored.')
      .nullable()
      .optional(),
  })
  .meta({ id: 'RefusedItem', description: 'One item that was not stored.' });

/** One refused item, as the answer lists it (docs/contract.md, "Push items"). */
export type RefusedItem = z.output<typeof refusedItem>;

/** The outcome of a batch; the answer and the problems of POST /items have these members. */
const pushCounts = {
  accepted: whole('Items that are stored or proposed now, including those that were unchanged.'),
  rejected: whole('Items that were not stored.'),
  proposed: whole(
    'Only for a key with access propose: items of accepted that wait for a reviewer now, and are not stored.',
  ).optional(),
  errors: z.array(refusedItem).meta({ description: 'One entry for each rejected item, in order.' }),
};

/** The answer of POST /items. */
export const pushAnswer = z.object(pushCounts).meta({ id: 'PushAnswer' });

export type PushAnswer = z.output<typeof pushAnswer>;

const privateItem = {
  index: 1,
  row_key: 'notes/diary.md',
  code: 'admin_tier',
  detail: 'The front matter says that the content is private; correct its audience.',
};
const foreignItem = {
  index: 0,
  row_key: 'handbook/deploying.md',
  code: 'forbidden_tier',
  detail: 'This key may write external items only.',
};

/** POST /items with a private item; the others were stored. */
export const adminTierProblem = problem('admin_tier', pushCounts, {
  accepted: 1,
  rejected: 1,
  errors: [privateItem],
});

/** POST /items of which no item was accepted. */
export const nothingAcceptedProblem = problem(
  'invalid_request',
  pushCounts,
  { accepted: 0, rejected: 1, errors: [foreignItem] },
  {
    id: 'NothingAcceptedProblem',
    description: 'The batch is well-formed, but none of its items was accepted.',
  },
);

/** DELETE /items/{row_key} where another version is stored. */
export const removalConflict = problem(
  'conflict',
  {
    current_checksum: z
      .string()
      .regex(storedChecksumPattern)
      .meta({ description: 'Checksum of the version that is stored.' }),
  },
  { current_checksum: 'sha256:5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9' },
);

/** The parameters of GET /items. */
export const itemListParameters = pageParameters.extend({
  prefix: rowKeyPrefix(
    'Only items whose row_key begins with this text, such as a folder: projects/p1/. Empty means all. With a prefix a page may be short, even empty, while has_more is true.',
  ).optional(),
  view: z
    .enum(['full', 'summary'], { error: 'must be full or summary' })
    .meta({ description: 'summary leaves out content, frontmatter and frontmatter_text.', default: 'full' })
    .optional(),
});

/** The query of GET /items. */
export const itemListQuery = feedQuery(itemListParameters);

const rowKey = prose('Relative POSIX path from the workspace root. It identifies the item.');

/** An item as it is pulled. */
export const itemRow = z
  .object({
    row_key: rowKey,
    title: prose(
      'The title in the front matter, else the first heading, else the file name; at most 300 characters.',
    ),
    content: prose('Markdown, as it was pushed.'),
    frontmatter: z.looseObject({}).meta({ description: 'As it was pushed, whatever its keys.' }),
    frontmatter_text: prose(
      'The front matter as its author wrote it, if it was pushed with the item.',
    ).optional(),
    tier: visibleTo('Who may see it.'),
    checksum: z
      .string()
      .regex(storedChecksumPattern)
      .meta({ description: "The client's checksum, in lower case." }),
    updated_at: instant('When this version was stored; strictly increasing within a team.'),
    updated_by: prose('Handle of the member whose key pushed it.'),
    by_guest: byGuest,
  })
  .meta({ id: 'Item', description: 'An item as stored.' });

/** An item of a list with view=summary. */
const itemSummary = itemRow
  .omit({ content: true, frontmatter: true, frontmatter_text: true })
  .meta({ id: 'ItemSummary', description: 'An item without its text.' });

/** The answer of GET /items. */
export const itemPage = pageAnswer(
  'ItemPage',
  'items',
  z.union([itemRow, itemSummary]),
  deletedRow('DeletedItem', { row_key: rowKey }),
);
