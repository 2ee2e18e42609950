import { pageQuery } from '../feed/contract.ts';
import { type Feed, feedRoute } from '../feed/page.ts';
import { type Row, rowRoute } from '../feed/row.ts';
import type { Handlers } from '../mount-operations.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { decisionOperations } from './operations.ts';

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

/** Returns a handler for each operation of decisions. */
export function decisionRoutes(dependencies: RouteDependencies): Handlers<typeof decisionOperations> {
  return {
    listDecisions: feedRoute(decisionFeed, dependencies),
    getDecision: rowRoute(oneDecision, dependencies),
  };
}
