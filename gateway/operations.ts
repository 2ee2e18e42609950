import { codebaseOperations } from './codebases/operations.ts';
import { decisionOperations } from './decisions/operations.ts';
import { eventOperations } from './events/operations.ts';
import { itemOperations } from './items/operations.ts';
import { proposalOperations } from './items/proposal-operations.ts';
import { metricOperations } from './metrics/operations.ts';
import { projectOperations } from './projects/operations.ts';
import { queryOperations } from './query/operations.ts';
import { signInLinkOperations } from './sign-in-links/operations.ts';
import { taskOperations } from './tasks/operations.ts';
import { whoamiOperations } from './whoami/operations.ts';

/** Every operation that takes a key, by operationId. Their order is that of the OpenAPI document. */
export const apiOperations = {
  ...itemOperations,
  ...proposalOperations,
  ...taskOperations,
  ...decisionOperations,
  ...projectOperations,
  ...eventOperations,
  ...queryOperations,
  ...codebaseOperations,
  ...metricOperations,
  ...whoamiOperations,
  ...signInLinkOperations,
};
