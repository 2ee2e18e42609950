import type { Operation } from '../contract/operation.ts';
import { projectList } from './contract.ts';

const listProjects: Operation = {
  method: 'GET',
  path: '/api/v1/projects',
  tag: 'Tasks and decisions',
  summary: 'List the projects of the team',
  description:
    'Returns all projects in one answer. A project exists as soon as an item names it, by front matter `project` or a path below `projects/<slug>/`, or when it is created on the service side.',
  access: 'team key',
  answer: {
    description: 'All projects, sorted by slug.',
    content: {
      mediaType: 'application/json',
      schema: projectList,
      example: { projects: [{ slug: 'rivers', name: 'Rivers', brain_only: false }] },
    },
  },
  problems: [],
};

export const projectOperations = { listProjects };
