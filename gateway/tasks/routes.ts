import { type Feed, feedRoute } from '../feed/page.ts';
import type { Handlers } from '../mount-operations.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import type { taskOperations } from './operations.ts';

/** The feed of tasks. */
export const taskFeed: Feed = {
  name: 'tasks',
  readPage: ({ content }, ...call) => content.listTasks(...call),
};

/** Returns a handler for each operation of tasks. */
export function taskRoutes(dependencies: RouteDependencies): Handlers<typeof taskOperations> {
  return { listTasks: feedRoute(taskFeed, dependencies) };
}
