import { z } from 'zod';
import { prose } from '../contract/answer-types.ts';
import type { Operation } from '../contract/operation.ts';
import { problem, problems } from '../contract/problem.ts';

/** The answer of GET /healthz. */
const healthAnswer = z
  .object({
    status: z.literal('ok'),
    version: z.string().meta({
      description:
        'Version of the program, and behind a + the commit it was built from, where that is known.',
    }),
  })
  .meta({ id: 'Healthy' });

/** The answer of GET /readyz. */
const readinessAnswer = z
  .object({
    status: z.literal('ready'),
    degraded: z.array(z.string()).optional().meta({
      description:
        'Names of the parts that do not respond, and `disk full` while nothing new is stored for lack of space; absent if there is neither.',
    }),
  })
  .meta({ id: 'Ready' });

/** The answer of GET /livez. */
const livenessAnswer = z.object({ status: z.literal('live') }).meta({ id: 'Live' });

/** GET /readyz while parts are unavailable. */
const notReadyProblem = problem(
  'unavailable',
  { missing: z.array(z.string()).meta({ description: 'Names of the parts that do not respond.' }) },
  { missing: ['content'] },
  { id: 'NotReadyProblem', description: 'This process cannot do its work.' },
);

const readHealth: Operation = {
  method: 'GET',
  path: '/healthz',
  tag: 'State and documentation',
  summary: 'Check that the process is up',
  description: 'Does not check anything else.',
  access: 'public',
  answer: {
    description: 'The process is up.',
    content: {
      mediaType: 'application/json',
      schema: healthAnswer,
      example: { status: 'ok', version: '0.2.0+4c09c1a4890b' },
    },
  },
  problems: [],
};

const readLiveness: Operation = {
  method: 'GET',
  path: '/livez',
  tag: 'State and documentation',
  summary: 'Check that the process goes on taking requests',
  description:
    'For load balancers: it fails from the moment at which the process begins to stop. Does not ask any part.',
  access: 'public',
  answer: {
    description: 'The process takes requests.',
    content: { mediaType: 'application/json', schema: livenessAnswer, example: { status: 'live' } },
  },
  problems: [notReadyProblem],
};

const readReadiness: Operation = {
  method: 'GET',
  path: '/readyz',
  tag: 'State and documentation',
  summary: 'Check that the service is ready',
  description:
    'Asks every part, for at most three seconds. Parts that do not respond are named in `degraded`, and so is a full disk. It fails if this process stops, if the parts refuse its tokens, or if none responds.',
  access: 'public',
  answer: {
    description: 'At least one part responds.',
    content: { mediaType: 'application/json', schema: readinessAnswer, example: { status: 'ready' } },
  },
  problems: [notReadyProblem],
};

const readOpenApi: Operation = {
  method: 'GET',
  path: '/api/v1/openapi.json',
  tag: 'State and documentation',
  summary: 'This document',
  description: 'OpenAPI 3.1, generated from the schemas that validate requests.',
  access: 'public',
  answer: {
    description: 'The document.',
    content: { mediaType: 'application/json', example: { openapi: '3.1.1' } },
  },
  problems: [],
};

const showDocs: Operation = {
  method: 'GET',
  path: '/docs',
  tag: 'State and documentation',
  summary: 'This document for people',
  description: 'A page that loads nothing from outside the service.',
  access: 'public',
  answer: {
    description: 'The page.',
    headers: ['ContentSecurityPolicy', 'ReferrerPolicy'],
    content: { mediaType: 'text/html', example: '<!doctype html><html lang="en">…</html>' },
  },
  problems: [],
};

const showProblem: Operation = {
  method: 'GET',
  path: '/problems/{code}',
  tag: 'State and documentation',
  summary: 'Explain an error code',
  description: 'A page for people. The member `type` of every problem links to it.',
  access: 'public',
  pathParameters: [{ name: 'code', schema: prose('The code of a problem.'), example: 'invalid_key' }],
  answer: {
    description: 'The page.',
    headers: ['TextContentSecurityPolicy', 'ReferrerPolicy', 'PublicCacheControl'],
    content: { mediaType: 'text/html', example: '<!doctype html><html lang="en">…</html>' },
  },
  problems: [problems.not_found],
};

/** Every operation that takes no key, by operationId. */
export const publicOperations = {
  readHealth,
  readLiveness,
  readReadiness,
  readOpenApi,
  showDocs,
  showProblem,
};
