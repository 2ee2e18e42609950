import { prose } from '../contract/answer-types.ts';
import type { Operation } from '../contract/operation.ts';
import { problems } from '../contract/problem.ts';
import { answeredPage, listParameters } from '../feed/contract.ts';
import {
  adminTierProblem,
  describedPushBody,
  itemListParameters,
  itemPage,
  itemRow,
  nothingAcceptedProblem,
  pushAnswer,
  removalConflict,
  removalQuery,
} from './contract.ts';
import { historyPage, revisionSegment, rowKeySegment, wholeVersion } from './history-contract.ts';

const exampleItem = {
  row_key: 'handbook/deploying.md',
  title: 'Deploying',
  content: '# Deploying\n\nWe deploy every Tuesday at ten.\n',
  frontmatter: { audience: 'team' },
  frontmatter_text: 'audience: team # everybody\n',
  tier: 'team',
  checksum: 'sha256:d92f631393d4c411bd712a301182d7b1b3f8a443d2f78b9e577805324362a841',
  updated_at: '2026-11-21T06:27:00.123Z',
  updated_by: 'ada',
};

const listItems: Operation = {
  method: 'GET',
  path: '/api/v1/items',
  tag: 'Items',
  summary: 'Pull items that changed',
  description:
    'Returns one page of the feed of items. A client that follows `next_cursor`, or polls with `since` set to the newest `updated_at` it has seen, misses no row and gets no version twice. A team key sees both tiers, an external key external items only. `prefix` lists one folder, and `view=summary` leaves out the texts; a cursor is good for one `prefix` and `view` only.',
  access: 'any key',
  query: itemListParameters,
  answer: answeredPage('items', itemPage, [
    exampleItem,
    { row_key: 'handbook/old.md', updated_at: '2026-11-21T06:27:00.124Z', deleted: true },
  ]),
  problems: [problems.invalid_cursor],
};

const pushItems: Operation = {
  method: 'POST',
  path: '/api/v1/items',
  tag: 'Items',
  summary: 'Push items',
  description:
    'Stores 1 to 200 items, each on its own: if one is refused, the others are still stored. A new `row_key` creates an item, a known one with another checksum replaces it, and the same checksum and tier change nothing. If any item is private, the answer is 422 `admin_tier`; if none was accepted, 422 `invalid_request`; both have the counts. Otherwise it is 200, even if some items were rejected. A batch that exceeds the limit of the key is refused as a whole. An external key may push external items only. What a key with access `propose` pushes waits until a reviewer accepts it, and the answer tells how many items wait (`proposed`). An acknowledged item is durable.',
  access: 'any key',
  writes: 'proposals',
  quota: 'item-writes',
  body: {
    mediaType: 'application/json',
    // 200 items of 200 values each, or three items whose front matter is 32 KiB of brackets. Front matter may have 8
    // levels; deeper ones reach the content service, which refuses only the item that has them.
    bounds: { maxValues: 50_000, maxLevels: 64 },
    schema: describedPushBody,
    example: {
      items: [
        {
          row_key: 'handbook/deploying.md',
          content: '# Deploying\n\nWe deploy every Tuesday at ten.\n',
          frontmatter: { title: 'Deploying', audience: 'team' },
          tier: 'team',
          checksum: 'sha256:d92f631393d4c411bd712a301182d7b1b3f8a443d2f78b9e577805324362a841',
        },
      ],
    },
  },
  answer: {
    description: 'At least one item was accepted, and none was private.',
    content: {
      mediaType: 'application/json',
      schema: pushAnswer,
      example: {
        accepted: 1,
        rejected: 1,
        errors: [
          {
            index: 1,
            row_key: 'handbook/hours.md',
            code: 'conflict',
            detail: 'The stored item is not the version that this one was edited from.',
            current_checksum: 'sha256:5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',
          },
        ],
      },
    },
  },
  problems: [adminTierProblem, nothingAcceptedProblem],
};

const deleteItem: Operation = {
  method: 'DELETE',
  path: '/api/v1/items/{row_key}',
  tag: 'Items',
  summary: 'Delete an item',
  description:
    'Deletes an item. Repeating the request has the same result. It does not count against the limit of item writes. An item that the key may not see gets the same answer as one that never existed. With `base_checksum` only that version is deleted: 409 `conflict` where another one is stored. With `erase=true` the item goes with every version of it, everywhere, and cannot be restored; its tombstone stays. A key with access `own`, or of tier external, erases back to the newest version of another member, or that was hidden from it. On 503 the erasure may have begun, and goes on by itself; repeat the request to wait for its end.',
  access: 'any key',
  writes: true,
  pathParameters: [
    {
      name: 'row_key',
      schema: prose('Identity of the item, percent-encoded. Its slashes may be encoded or not.'),
      example: 'handbook/deploying.md',
    },
  ],
  query: removalQuery,
  answer: { description: 'The item is deleted.' },
  problems: [problems.not_found, removalConflict],
};

const getItem: Operation = {
  method: 'GET',
  path: '/api/v1/items/{row_key}',
  tag: 'Items',
  summary: 'Read an item',
  description:
    'Returns one item as lists have it. An item that is absent, deleted or not visible to the key is 404 `not_found`, all alike. Encode the slashes of the key as well: a path that goes on with `/versions` is another one.',
  access: 'any key',
  pathParameters: [rowKeySegment],
  answer: {
    description: 'The item.',
    content: { mediaType: 'application/json', schema: itemRow, example: exampleItem },
  },
  problems: [problems.not_found],
};

const listItemVersions: Operation = {
  method: 'GET',
  path: '/api/v1/items/{row_key}/versions',
  tag: 'Items',
  summary: 'List the versions of an item',
  description:
    'Returns the present version of an item and the kept ones before it, newest first. A team key sees removals too, with `erased: true` where the item was erased, and the versions of an item that is deleted. An external key sees the versions since the item last became visible to it, while it is; otherwise 404 `not_found`, as if there had never been one.',
  access: 'any key',
  pathParameters: [rowKeySegment],
  query: listParameters,
  answer: {
    description: 'A page, the newest version first.',
    content: {
      mediaType: 'application/json',
      schema: historyPage,
      example: {
        versions: [
          {
            revision: 7,
            checksum: exampleItem.checksum,
            tier: 'team',
            updated_at: exampleItem.updated_at,
            updated_by: 'ada',
          },
        ],
        next_cursor: null,
        has_more: false,
      },
    },
  },
  problems: [problems.not_found, problems.invalid_cursor],
};

const getItemVersion: Operation = {
  method: 'GET',
  path: '/api/v1/items/{row_key}/versions/{revision}',
  tag: 'Items',
  summary: 'Read a version of an item',
  description:
    'Returns one version whole, with its `revision`; of a removal what the list has. A revision that the list of this key does not have is 404 `not_found`.',
  access: 'any key',
  pathParameters: [rowKeySegment, revisionSegment],
  answer: {
    description: 'The version.',
    content: {
      mediaType: 'application/json',
      schema: wholeVersion,
      example: { ...exampleItem, revision: 7 },
    },
  },
  problems: [problems.not_found],
};

export const itemOperations = {
  listItems,
  pushItems,
  getItem,
  deleteItem,
  listItemVersions,
  getItemVersion,
};
