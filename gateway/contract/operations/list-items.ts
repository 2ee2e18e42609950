import { itemPage } from '../item-row.ts';
import type { Operation } from '../operation.ts';
import { pageParameters } from '../page.ts';
import { problems } from '../problem.ts';

export const listItems: Operation = {
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
