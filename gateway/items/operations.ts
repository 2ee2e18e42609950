import { prose } from '../contract/answer-types.ts';
import type { Operation } from '../contract/operation.ts';
import { problems } from '../contract/problem.ts';
import { pageParameters } from '../feed/contract.ts';
import {
  adminTierProblem,
  describedPushBody,
  itemPage,
  nothingAcceptedProblem,
  pushAnswer,
} from './contract.ts';

const listItems: Operation = {
  method: 'GET',
  path: '/api/v1/items',
  tag: 'Items',
  summary: 'Pull items that changed',
  description:
    'One page of the change feed of items. A client that follows `next_cursor`, or polls with `since` set to the newest `updated_at` it has seen, misses no row and gets no version twice. A team key sees both tiers, an external key external items only.',
  access: 'any key',
  query: pageParameters,
  answer: {
    description: 'A page, the oldest change first.',
    content: {
      mediaType: 'application/json',
      schema: itemPage,
      example: {
        items: [
          {
            row_key: 'handbook/deploying.md',
            title: 'Deploying',
            content: '# Deploying\n\nWe deploy every Tuesday at ten.\n',
            frontmatter: { audience: 'team' },
            tier: 'team',
            checksum: 'sha256:d92f631393d4c411bd712a301182d7b1b3f8a443d2f78b9e577805324362a841',
            updated_at: '2026-11-21T06:27:00.123Z',
            updated_by: 'ada',
          },
          { row_key: 'handbook/old.md', updated_at: '2026-11-21T06:27:00.124Z', deleted: true },
        ],
        next_cursor: 'dGhlLW5leHQtcG9sbA',
        has_more: false,
      },
    },
  },
  problems: [problems.invalid_cursor],
};

const pushItems: Operation = {
  method: 'POST',
  path: '/api/v1/items',
  tag: 'Items',
  summary: 'Push items',
  description:
    'Stores 1 to 200 items, each on its own: a refused item does not keep the others out. A new `row_key` makes an item, a known one with another checksum replaces it, the same checksum and tier change nothing. Where any item is private the answer is 422 `admin_tier`, where none was accepted 422 `invalid_request`, both with the counts; else 200, also when some items were rejected. A batch that does not fit into the limit of the key is refused whole. An external key pushes external items only. An acknowledged item is durable.',
  access: 'any key',
  quota: 'item-writes',
  body: {
    mediaType: 'application/json',
    // 200 items of 200 values each, or three whose front matter is 32 KiB of nothing but brackets. Front matter has at most
    // 8 levels; some more reach the content service, which refuses the one item that has them.
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
  summary: 'Remove an item',
  description:
    'Removes an item; repeated, it answers the same. It does not count against the limit of writes. What the key may not know of is answered exactly like what never was.',
  access: 'any key',
  pathParameter: {
    name: 'row_key',
    schema: prose('Identity of the item, percent-encoded; its slashes may be encoded or not.'),
    example: 'handbook/deploying.md',
  },
  answer: { description: 'The item is gone.' },
  problems: [problems.not_found],
};

export const itemOperations = { listItems, pushItems, deleteItem };
