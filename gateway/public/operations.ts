import { z } from 'zod';
import { prose } from '../contract/answer-types.ts';
import type { Operation } from '../contract/operation.ts';
import { problem, problems } from '../contract/problem.ts';

/** The answer of GET /healthz. */
const healthAnswer = z
  .object({
    status: z.literal('ok'),
    version: z.string().meta({ description: 'Version of the program.' }),
  })
  .meta({ id: 'Healthy' });

/** The answer of GET /readyz. */
const readinessAnswer = z.object({ status: z.literal('ready') }).meta({ id: 'Ready' });

/** GET /readyz while parts are unavailable. */
const notReadyProblem = problem(
  'unavailable',
  { missing: z.array(z.string()).meta({ description: 'Names of the parts that do not respond.' }) },
  { missing: ['content'] },
  { id: 'NotReadyProblem', description: 'At least one part that the service needs does not respond.' },
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
      example: { status: 'ok', version: '0.1.0' },
    },
  },
  problems: [],
};

const readReadiness: Operation = {
  method: 'GET',
  path: '/readyz',
  tag: 'State and documentation',
  summary: 'Check that the service is ready',
  description: 'Asks every part that the service needs, for at most three seconds.',
  access: 'public',
  answer: {
    description: 'Every part responds.',
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
export const publicOperations = { readHealth, readReadiness, readOpenApi, showDocs, showProblem };
