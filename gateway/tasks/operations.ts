import type { Operation } from '../contract/operation.ts';
import { problems } from '../contract/problem.ts';
import { answeredPage } from '../feed/contract.ts';
import { taskId, taskListParameters, taskPage, taskRow } from './contract.ts';

const exampleTask = {
  task_id: '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d11',
  title: 'Order new sensors',
  status: 'open',
  owner: 'ada',
  due: '2026-12-01',
  project: 'rivers',
  tags: ['hardware'],
  tier: 'team',
  source: { row_key: 'projects/rivers/tasks.md', line: 7, heading: 'Next' },
  updated_at: '2026-11-21T06:27:00.123Z',
};

const listTasks: Operation = {
  method: 'GET',
  path: '/api/v1/tasks',
  tag: 'Tasks and decisions',
  summary: 'Pull tasks that changed',
  description:
    'Returns one page of the feed of tasks, which are made from task and decision logs and from the bodies of decisions. It includes the tasks of every item whose push was acknowledged before. An external key sees the tasks of external sources only. `status`, `owner`, `project` and `due_by` list only the tasks that fit all of them now: a task that no longer fits is not told, and deleted rows cannot be included. A cursor is good for one such filter only. A page with a filter may be short, even empty, while `has_more` is true.',
  access: 'any key',
  query: taskListParameters,
  answer: answeredPage('tasks', taskPage, [exampleTask]),
  problems: [problems.invalid_cursor],
};

const getTask: Operation = {
  method: 'GET',
  path: '/api/v1/tasks/{task_id}',
  tag: 'Tasks and decisions',
  summary: 'Read a task',
  description:
    'Returns one task as lists have it, made from every item whose push was acknowledged before. A task that is absent, gone or not visible to the key is 404 `not_found`, all alike, and so is what is no id.',
  access: 'any key',
  pathParameters: [{ name: 'task_id', schema: taskId, example: exampleTask.task_id }],
  answer: {
    description: 'The task.',
    content: { mediaType: 'application/json', schema: taskRow, example: exampleTask },
  },
  problems: [problems.not_found],
};

export const taskOperations = { listTasks, getTask };
