import { readFileSync } from 'node:fs';

/** A schema, or a reference to one; tests hand it on to a validator. */
type Schema = Readonly<Record<string, unknown>>;

/** A reference within the document. */
export interface Reference {
  $ref: string;
}

/** One kind of event of a stream. */
interface EventSchema {
  properties: { event: { const: string } };
}

/** The answer of an operation with one status. */
export interface ResponseObject {
  headers: Record<string, Reference>;
  content?: Record<string, { schema: Schema & { oneOf?: EventSchema[] } }>;
}

export interface OperationObject {
  operationId: string;
  responses: Record<string, ResponseObject | Reference>;
}

/** What tests read of an OpenAPI document. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, Schema>;
    headers: Record<string, { required: boolean; schema: Schema }>;
    responses: Record<string, ResponseObject>;
  };
}

/** The committed document: tests hold it to the schemas of the gateway, and the running service to it. */
export const openApiDocument: OpenApiDocument = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
);

/** A documented path with its methods. */
export interface DocumentedPath {
  /** With its parameter in braces. */
  template: string;
  operations: Record<string, OperationObject>;
}

/**
 * Finds what the document says about a path. A parameter that is the only one and comes last is the rest of the path, and
 * may hold slashes; others are one segment each, and their path goes before where it has the method. None is ever empty.
 */
export function documentedPath(
  document: OpenApiDocument,
  path: string,
  method = 'GET',
): DocumentedPath | undefined {
  const exact = document.paths[path];
  if (exact !== undefined) return { template: path, operations: exact };
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  const matching = Object.entries(document.paths).filter(([template]) => patternOf(template).test(path));
  const found =
    matching.find(([template, operations]) => !isOpenEnded(template) && name in operations) ??
    matching.find(([template]) => isOpenEnded(template)) ??
    matching[0];
  return found && { template: found[0], operations: found[1] };
}

function isOpenEnded(template: string): boolean {
  return /^[^{]*\{\w+\}$/.test(template);
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, isOpenEnded(template) ? '.+' : '[^/]+')}$`, 's');
}

/** Every status that each operation can answer by the document, in ascending order, by operationId. */
export function documentedStatuses(document: OpenApiDocument): Map<string, number[]> {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  return new Map(
    operations.map(({ operationId, responses }) => [
      operationId,
      Object.keys(responses)
        .map(Number)
        .toSorted((a, b) => a - b),
    ]),
  );
}
