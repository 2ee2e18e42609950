import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type OpenApiDocument, openApiDocument } from './document.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(closed(openApiDocument), 'document');

/**
 * What is wrong with a value by the schema at a JSON Pointer of the document,
 * or undefined. Compiled once per process. Objects are closed here, for a
 * service that says more than it documents is at fault; clients must bear it.
 */
export function faultsAt(pointer: string, value: unknown): string | undefined {
  const validate: ValidateFunction | undefined = ajv.getSchema(`document#${pointer}`);
  if (validate === undefined) throw new Error(`the document has nothing at ${pointer}`);
  return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'it' });
}

/** The document with every object closed that does not say that it is open. */
function closed(document: OpenApiDocument): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (_key, value) =>
    isObject(value) &&
    value.type === 'object' &&
    isObject(value.properties) &&
    !('additionalProperties' in value)
      ? { ...value, additionalProperties: false }
      : value,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
