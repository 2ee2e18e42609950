import type { Operation } from '../contract/operation.ts';
import { problems } from '../contract/problem.ts';
import { answeredPage, pageParameters } from '../feed/contract.ts';
import { decisionId, decisionPage, decisionRow } from './contract.ts';

const exampleDecision = {
  decision_id: '019a9f0e-7d51-7c3a-9a51-6b0c4b8f2d12',
  title: 'We deploy on Tuesdays',
  body: 'Fridays went wrong twice.\n\n- [ ] Change the calendar @ada\n',
  status: 'accepted',
  audience: 'team',
  project: null,
  decided_on: '2026-11-20',
  updated_at: '2026-11-21T06:27:00.123Z',
  updated_by: 'ada',
};

const listDecisions: Operation = {
  method: 'GET',
  path: '/api/v1/decisions',
  tag: 'Tasks and decisions',
  summary: 'Pull decisions that changed',
  description:
    'Returns one page of the feed of decisions that were created or edited on the service side. An external key sees those with audience `external` only.',
  access: 'any key',
  query: pageParameters,
  answer: answeredPage('decisions', decisionPage, [exampleDecision]),
  problems: [problems.invalid_cursor],
};

const getDecision: Operation = {
  method: 'GET',
  path: '/api/v1/decisions/{decision_id}',
  tag: 'Tasks and decisions',
  summary: 'Read a decision',
  description:
    'Returns one decision as lists have it. A decision that is absent, removed, hidden or not visible to the key is 404 `not_found`, all alike, and so is what is no id.',
  access: 'any key',
  pathParameters: [{ name: 'decision_id', schema: decisionId, example: exampleDecision.decision_id }],
  answer: {
    description: 'The decision.',
    content: { mediaType: 'application/json', schema: decisionRow, example: exampleDecision },
  },
  problems: [problems.not_found],
};

export const decisionOperations = { listDecisions, getDecision };
