import { TaskStatus as StatusProto } from '@teammemory/proto/content/v1/content_pb.ts';
import type { TaskStatus } from '@teammemory/vocabulary/task.ts';
import { type Feed, feedRoute } from '../feed/page.ts';
import { type Row, rowRoute } from '../feed/row.ts';
import type { Handlers } from '../mount-operations.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { type TaskListParameters, taskListQuery } from './contract.ts';
import type { taskOperations } from './operations.ts';

/** The feed of tasks. */
export const taskFeed: Feed<TaskListParameters> = {
  name: 'tasks',
  query: taskListQuery,
  readPage: ({ content }, { page, parameters }, options) =>
    content.listTasks({ page, filter: taskFilterToProto(parameters) }, options),
};

const statuses: Record<TaskStatus, StatusProto> = {
  open: StatusProto.OPEN,
  done: StatusProto.DONE,
  cancelled: StatusProto.CANCELLED,
};

function taskFilterToProto({ status, owner = '', project = '', due_by: dueBy = '' }: TaskListParameters) {
  return { status: status === undefined ? StatusProto.UNSPECIFIED : statuses[status], owner, project, dueBy };
}

/** One task. */
export const oneTask: Row = {
  name: 'task',
  readRow: async ({ content }, taskId, options) => (await content.getTask({ taskId }, options)).taskJson,
};

/** Returns a handler for each operation of tasks. */
export function taskRoutes(dependencies: RouteDependencies): Handlers<typeof taskOperations> {
  return { listTasks: feedRoute(taskFeed, dependencies), getTask: rowRoute(oneTask, dependencies) };
}
