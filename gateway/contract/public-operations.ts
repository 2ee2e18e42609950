import { readHealth } from './operations/read-health.ts';
import { readOpenApi } from './operations/read-openapi.ts';
import { readReadiness } from './operations/read-readiness.ts';
import { showDocs } from './operations/show-docs.ts';
import { showProblem } from './operations/show-problem.ts';

/** Everything that takes no key, by operationId. `public-routes.ts` has a handler for each, by its type. */
export const publicOperations = { readHealth, readReadiness, readOpenApi, showDocs, showProblem };
