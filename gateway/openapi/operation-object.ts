import type { z } from 'zod';
import type { Content, Operation } from '../contract/operation.ts';
import { headersOf } from './answer-headers.ts';
import { operationProblems, type ProblemResponses } from './problem-responses.ts';
import type { JsonObject, SchemaComponents } from './schema-components.ts';

/** Returns an Operation Object of OpenAPI 3.1. Adds the components that it refers to to `schemas` and `responses`. */
export function operationObject(
  operationId: string,
  operation: Operation,
  { schemas, responses }: { schemas: SchemaComponents; responses: ProblemResponses },
): JsonObject {
  const { tag, summary, description, access, body, answer, quota } = operation;
  const status = answer.status ?? (answer.content === undefined ? 204 : 200);
  const success = {
    description: answer.description,
    headers: headersOf(status, quota !== undefined, answer.headers),
    ...(answer.content === undefined ? {} : { content: contentObject(answer.content, schemas.answered) }),
  };
  const refusals = operationProblems(operation).map(([status, problems]) => [
    status,
    responses.reference(status, problems, quota !== undefined),
  ]);
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(access === 'public' ? { security: [] } : {}),
    parameters: parameters(operation, schemas),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: contentObject(body, schemas.written) } }),
    responses: { [status]: success, ...Object.fromEntries(refusals) },
  };
}

function parameters(
  { access, pathParameters = [], query }: Operation,
  schemas: SchemaComponents,
): JsonObject[] {
  const all: JsonObject[] = [];
  for (const { name, schema, example } of pathParameters) {
    all.push({ name, in: 'path', required: true, ...described(schemas.written(schema)), example });
  }
  for (const [name, schema] of Object.entries(query?.shape ?? {})) {
    all.push({ name, in: 'query', required: !schema.isOptional(), ...described(schemas.written(schema)) });
  }
  if (access !== 'public') all.push({ $ref: '#/components/parameters/Team' });
  return [...all, { $ref: '#/components/parameters/RequestId' }];
}

/** Moves the description from the schema of a parameter to the parameter. */
function described({ description, ...schema }: JsonObject): JsonObject {
  return { description, schema };
}

function contentObject(
  { mediaType, schema, example, events }: Content,
  convert: (schema: z.ZodType) => JsonObject,
): JsonObject {
  const text = { type: mediaType === 'application/json' ? 'object' : 'string' };
  const shape = schema === undefined ? text : convert(schema);
  return {
    [mediaType]: { schema: events === undefined ? shape : streamSchema(events, convert), example },
  };
}

/** Describes the events of a stream as OpenAPI 3.2 and the tools do; 3.1 has no way of its own. */
function streamSchema(events: NonNullable<Content['events']>, convert: (schema: z.ZodType) => JsonObject) {
  const oneOf = Object.entries(events).map(([event, payload]) => ({
    type: 'object',
    required: ['event', 'data'],
    properties: {
      event: { const: event },
      data: { type: 'string', contentMediaType: 'application/json', contentSchema: convert(payload) },
    },
  }));
  return { description: 'Each event of the stream. Comment lines may come between events.', oneOf };
}
