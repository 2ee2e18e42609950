import { TaskStatus as StatusProto } from '@teammemory/proto/content/v1/content_pb.ts';
import type { TaskStatus } from '@teammemory/vocabulary/task.ts';
import type { Feed } from '../feed/page.ts';
import type { Row } from '../feed/row.ts';
import { type TaskListParameters, taskListQuery } from './contract.ts';

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
