import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { Operation } from '../contract/operation.ts';
import { type ProblemSchema, problems } from '../contract/problem.ts';
import { headersOf } from './answer-headers.ts';
import type { JsonObject, SchemaComponents } from './schema-components.ts';

/** Returns every problem that an operation can answer, by status in ascending order. */
export function operationProblems(operation: Operation): [status: number, problems: ProblemSchema[]][] {
  const all = [...impliedProblems(operation), ...operation.problems];
  return [...Map.groupBy(all, ({ shape }) => shape.status.value)].sort(([a], [b]) => a - b);
}

/** Returns the problems that follow from the key, the body, the parameters and the limit of an operation. */
function impliedProblems({ access, writes, body, query, quota }: Operation): ProblemSchema[] {
  const implied: ProblemSchema[] = [problems.method_not_allowed];
  if (access !== 'public') {
    implied.push(problems.invalid_key, problems.team_forbidden, problems.internal, problems.unavailable);
    // A body that is sent where none belongs can also be too large or of the wrong type.
    implied.push(problems.payload_too_large, problems.unsupported_media_type);
  }
  if (access === 'team key') implied.push(problems.forbidden_tier);
  if (writes) implied.push(problems.forbidden_access);
  if (body !== undefined) implied.push(problems.invalid_json);
  if (body !== undefined || query !== undefined) implied.push(problems.invalid_request);
  if (quota !== undefined) implied.push(problems.rate_limited);
  return implied;
}

/** The problem responses of a document, each described once. */
export interface ProblemResponses {
  /** Returns a reference to the response with any of the problems; `quota` says whether the endpoint is limited. */
  reference(status: number, problems: readonly ProblemSchema[], quota: boolean): JsonObject;
  /** Returns all responses that were referred to, by name. */
  collected(): JsonObject;
}

/** Collects problem responses while a document is made. */
export function createProblemResponses(schemas: SchemaComponents): ProblemResponses {
  const collected: JsonObject = {};
  return {
    reference(status, problems, quota) {
      const headers = headersOf(status, quota);
      // The problems of a limited endpoint have additional headers.
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
