import { askQuestion } from './operations/ask-question.ts';
import { deleteItem } from './operations/delete-item.ts';
import { listDecisions } from './operations/list-decisions.ts';
import { listItems } from './operations/list-items.ts';
import { listProjects } from './operations/list-projects.ts';
import { listTasks } from './operations/list-tasks.ts';
import { pushItems } from './operations/push-items.ts';
import { pushScan } from './operations/push-scan.ts';
import { pushSnapshot } from './operations/push-snapshot.ts';

/** Everything that takes a key, by operationId. `api-routes.ts` has a handler for each, by its type. */
export const apiOperations = {
  listItems,
  pushItems,
  deleteItem,
  listTasks,
  listDecisions,
  listProjects,
  askQuestion,
  pushScan,
  pushSnapshot,
};
