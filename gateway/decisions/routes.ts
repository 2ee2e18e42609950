import { pageQuery } from '../feed/contract.ts';
import type { Feed } from '../feed/page.ts';
import type { Row } from '../feed/row.ts';

/** The feed of decisions. */
export const decisionFeed: Feed = {
  name: 'decisions',
  query: pageQuery,
  readPage: ({ content }, { page }, options) => content.listDecisions({ page }, options),
};

/** One decision. */
export const oneDecision: Row = {
  name: 'decision',
  readRow: async ({ content }, decisionId, options) =>
    (await content.getShownDecision({ decisionId }, options)).decisionJson,
};
