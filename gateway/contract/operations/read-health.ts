import type { Operation } from '../operation.ts';
import { healthAnswer } from '../state-answers.ts';

export const readHealth: Operation = {
  method: 'GET',
  path: '/healthz',
  tag: 'State and documentation',
  summary: 'Whether the process is up',
  description: 'Asks nothing else.',
  access: 'public',
  answer: {
    description: 'It is.',
    content: { mediaType: 'application/json', schema: healthAnswer, example: { status: 'ok' } },
  },
  problems: [],
};
