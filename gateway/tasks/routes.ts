import { type Feed, feedRoute } from '../feed/page.ts';
import { type Row, rowRoute } from '../feed/row.ts';
import type { Handlers } from '../mount-operations.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { taskOperations } from './operations.ts';

/** The feed of tasks. */
export const taskFeed: Feed = {
  name: 'tasks',
  readPage: ({ content }, ...call) => content.listTasks(...call),
};

/** One task. */
export const oneTask: Row = {
  name: 'task',
  readRow: async ({ content }, taskId, options) => (await content.getTask({ taskId }, options)).taskJson,
};

/** Returns a handler for each operation of tasks. */
export function taskRoutes(dependencies: RouteDependencies): Handlers<typeof taskOperations> {
  return { listTasks: feedRoute(taskFeed, dependencies), getTask: rowRoute(oneTask, dependencies) };
}
