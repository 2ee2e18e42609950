import { z } from 'zod';
import { wireForm } from '../contract/field-types.ts';

/** A JSON object of the document. */
export type JsonObject = Record<string, unknown>;

/** The schemas of a document, collected while the rest is made. */
export interface SchemaComponents {
  /** What clients may write, as a schema or a reference to one. */
  written(schema: z.ZodType): JsonObject;
  /** What the service answers. */
  answered(schema: z.ZodType): JsonObject;
  /** All schemas with a name that were met, by name. */
  collected(): JsonObject;
}

/**
 * Turns zod schemas into JSON Schema 2020-12, which OpenAPI 3.1 speaks. A schema
 * with `meta({ id })` becomes a component of that name. No object is closed:
 * unknown members of a request are ignored, and clients must do the same with
 * those of an answer.
 */
export function createSchemaComponents(): SchemaComponents {
  const components = new Map<string, unknown>();

  function convert(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const { $schema, $defs, ...rest } = z.toJSONSchema(schema, {
      io,
      unrepresentable: ({ zodSchema }) => wireForm.get(zodSchema) ?? 'throw',
      override: publishedForm,
    });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const known = components.get(name);
      const found = referringToComponents(definition);
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(found)) {
        throw new Error(`two schemas have the name ${name}`);
      }
      components.set(name, found);
    }
    return referringToComponents(rest) as JsonObject;
  }

  return {
    written: (schema) => convert(schema, 'input'),
    answered: (schema) => convert(schema, 'output'),
    collected: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

/** Puts the form on the wire in the place of what was generated, and opens objects. */
const publishedForm: Override = ({ zodSchema, jsonSchema }) => {
  const form = wireForm.get(zodSchema);
  if (form !== undefined) {
    const { description } = jsonSchema;
    for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
    Object.assign(jsonSchema, { description }, form);
  }
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

/** A copy of a schema whose references lead to the components of the document. */
function referringToComponents(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' ? String(value).replace('#/$defs/', '#/components/schemas/') : value,
  );
}
