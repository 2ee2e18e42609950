import type { Operation } from '../contract/operation.ts';
import { problems } from '../contract/problem.ts';
import { pageParameters } from '../feed/contract.ts';
import { taskPage } from './contract.ts';

const listTasks: Operation = {
  method: 'GET',
  path: '/api/v1/tasks',
  tag: 'Tasks and decisions',
  summary: 'Pull tasks that changed',
  description:
    'Returns one page of the feed of tasks, which are made from task and decision logs and from the bodies of decisions. It includes the tasks of every item whose push was acknowledged before. An external key sees the tasks of external sources only.',
  access: 'any key',
  query: pageParameters,
  answer: {
    description: 'A page, the oldest change first.',
    content: {
      mediaType: 'application/json',
      schema: taskPage,
      example: {
        tasks: [
          {
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
          },
        ],
        next_cursor: 'dGhlLW5leHQtcG9sbA',
        has_more: false,
      },
    },
  },
  problems: [problems.invalid_cursor],
};

export const taskOperations = { listTasks };
