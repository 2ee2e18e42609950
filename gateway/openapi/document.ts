import type { Operation } from '../contract/operation.ts';
import { apiOperations } from '../operations.ts';
import { publicOperations } from '../public/operations.ts';
import { answerHeaders } from './answer-headers.ts';
import { headerParameters, info, securitySchemes, tags } from './info.ts';
import { operationObject } from './operation-object.ts';
import { createProblemResponses } from './problem-responses.ts';
import { createSchemaComponents, type JsonObject } from './schema-components.ts';

/** Returns the OpenAPI 3.1 document of everything that the gateway mounts. */
export function openApiDocument(): JsonObject {
  const schemas = createSchemaComponents();
  const responses = createProblemResponses(schemas);
  const paths = new Map<string, JsonObject>();
  const operations: Record<string, Operation> = { ...apiOperations, ...publicOperations };
  for (const [operationId, operation] of Object.entries(operations)) {
    const methods = paths.getOrInsert(operation.path, {});
    methods[operation.method.toLowerCase()] = operationObject(operationId, operation, { schemas, responses });
  }
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: '/', description: 'The service that sent this document.' }],
    security: [{ key: [] }],
    tags,
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes,
      parameters: headerParameters,
      headers: answerHeaders,
      responses: responses.collected(),
      schemas: schemas.collected(),
    },
  };
}
