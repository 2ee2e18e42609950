import type { Operation } from '../operation.ts';
import { notReadyProblem } from '../problem.ts';
import { readinessAnswer } from '../state-answers.ts';

export const readReadiness: Operation = {
  method: 'GET',
  path: '/readyz',
  tag: 'State and documentation',
  summary: 'Whether requests make sense',
  description: 'Asks everything that the service needs, for at most three seconds.',
  access: 'public',
  answer: {
    description: 'All of it answers.',
    content: { mediaType: 'application/json', schema: readinessAnswer, example: { status: 'ready' } },
  },
  problems: [notReadyProblem],
};
