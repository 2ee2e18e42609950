import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { ProblemSchema } from '../contract/problem.ts';
import { headersOf } from './answer-headers.ts';
import type { JsonObject, SchemaComponents } from './schema-components.ts';

/** The refusals of a document, each told once. */
export interface ProblemResponses {
  /** A reference to the answer with any of the problems; `quota` says whether the endpoint is limited. */
  reference(status: number, problems: readonly ProblemSchema[], quota: boolean): JsonObject;
  /** All that were referred to, by name. */
  collected(): JsonObject;
}

/** Collects refusals while a document is made. */
export function createProblemResponses(schemas: SchemaComponents): ProblemResponses {
  const collected: JsonObject = {};
  return {
    reference(status, problems, quota) {
      const headers = headersOf(status, quota);
      // Those of a limited endpoint have headers of their own.
      const limited = 'RateLimit' in headers ? 'OfLimited' : '';
      const name = problems.map((problem) => metaOf(problem).id.replace(/Problem$/, '')).join('Or') + limited;
      collected[name] ??= {
        description: [STATUS_CODES[status], ...problems.map(explanation)].join('\n\n'),
        headers,
        content: { 'application/problem+json': { schema: anyOf(problems.map(schemas.answered)) } },
      };
      return { $ref: `#/components/responses/${name}` };
    },
    collected: () => collected,
  };
}

function explanation(problem: ProblemSchema): string {
  return `\`${problem.shape.code.value}\`: ${metaOf(problem).description}`;
}

function metaOf(problem: ProblemSchema): { id: string; description: string } {
  const { id = '', description = '' } = z.globalRegistry.get(problem) ?? {};
  return { id, description };
}

function anyOf(schemas: JsonObject[]): JsonObject | undefined {
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}
