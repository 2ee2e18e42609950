// The types of this package are inferred from its schemas. These tests hold the schemas against the document that the
// service publishes, so that a field that is added, renamed or made optional there shows here.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deltaSchema, errorSchema, sourcesSchema } from './ask.ts';
import {
  decisionPageSchema,
  decisionSchema,
  projectListSchema,
  taskPageSchema,
  taskSchema,
} from './derived-lists.ts';
import { changedSchema } from './events.ts';
import {
  itemPageSchema,
  itemSchema,
  itemSummaryPageSchema,
  itemVersionPageSchema,
  itemVersionSchema,
  type NewItem,
  pushResultSchema,
} from './item.ts';
import {
  codebasePageSchema,
  rollupSchema,
  scanPageSchema,
  scanResultSchema,
  scanSchema,
  snapshotResultSchema,
  snapshotSchema,
} from './measurements.ts';
import { proposalPageSchema, proposalQuery, proposalSchema, wholeProposalSchema } from './proposals.ts';
import { listQuery, taskQuery } from './requests.ts';
import { foundPassagesSchema, searchQuery } from './search.ts';
import { signInLinkSchema, whoamiSchema } from './whoami.ts';

type Schema = Record<string, unknown>;

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'));
const schemas: Record<string, Schema> = document.components.schemas;

interface Operation {
  parameters?: { name?: string; in?: string }[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** The operations of the API by method and path, such as `get /items`. */
const operations: Record<string, Operation> = Object.fromEntries(
  Object.entries<Record<string, Operation>>(document.paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method} ${path.replace('/api/v1', '')}`,
        operation,
      ]),
    ),
);

/** What `view` makes of a page: the client has a type for each. */
const pageOfEitherView = itemPageSchema.extend({
  items: z.array(z.union([itemPageSchema.shape.items.element, itemSummaryPageSchema.shape.items.element])),
});

/** The answers that methods of the client parse, by method and path. */
const answers: Record<string, z.ZodType> = {
  'get /items': pageOfEitherView,
  'get /items/{row_key}': itemSchema,
  'get /items/{row_key}/versions': itemVersionPageSchema,
  'get /items/{row_key}/versions/{revision}': itemVersionSchema,
  'post /items': pushResultSchema,
  'get /tasks': taskPageSchema,
  'get /tasks/{task_id}': taskSchema,
  'get /decisions': decisionPageSchema,
  'get /decisions/{decision_id}': decisionSchema,
  'get /projects': projectListSchema,
  'get /proposals': proposalPageSchema,
  'get /proposals/{proposal_id}': wholeProposalSchema,
  'post /proposals/{proposal_id}/accept': proposalSchema,
  'post /proposals/{proposal_id}/decline': proposalSchema,
  'post /codebases': scanResultSchema,
  'get /codebases': codebasePageSchema,
  'get /codebases/{slug}/scans': scanPageSchema,
  'get /rollup': rollupSchema,
  'post /metrics': snapshotResultSchema,
  'get /search': foundPassagesSchema,
  'get /whoami': whoamiSchema,
  'post /sign-in-links': signInLinkSchema,
};
/** For programs that read the document itself. */
const withoutMethod = ['get /openapi.json'];

/** The document says less of an object than nothing: only its JSON type counts, and which values may be missing. */
function formOf(given: Schema): unknown {
  const schema = resolved(given);
  const alternatives = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (alternatives) return unionOf(alternatives.map(formOf));
  if (Array.isArray(schema.type)) return unionOf(schema.type.map((type) => formOf({ ...schema, type })));
  if (schema.const === true) return 'true';
  if ('const' in schema) return typeof schema.const;
  if (schema.type === 'array') return { each: formOf(schema.items as Schema) };
  if (Object.keys(schema.properties ?? {}).length === 0)
    return schema.type === 'integer' ? 'number' : (schema.type ?? 'object');
  const required = (schema.required ?? []) as string[];
  return Object.fromEntries(
    Object.entries(schema.properties as Record<string, Schema>)
      // The client tells rows from removed rows by `deleted`, which the document gives only to the latter.
      .filter(([, property]) => property.const !== false)
      .map(([name, property]) => [required.includes(name) ? name : `${name}?`, formOf(property)]),
  );
}

function resolved(schema: Schema): Schema {
  const reference = schema.$ref as string | undefined;
  if (reference === undefined) return schema;
  const target = schemas[reference.split('/').at(-1) ?? ''];
  if (target === undefined) throw new Error(reference);
  return resolved(target);
}

function unionOf(given: unknown[]): unknown {
  const forms = given.flatMap((form) => (form as { oneOf?: unknown[] }).oneOf ?? [form]);
  const distinct = [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()];
  return distinct.length === 1
    ? distinct[0]
    : { oneOf: distinct.toSorted((left, right) => (unmarked(left) < unmarked(right) ? -1 : 1)) };
}

const ownForm = (schema: z.ZodType) =>
  formOf(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Schema);

const jsonAnswer = (name: string) =>
  (operations[name]?.responses['200'] ?? operations[name]?.responses['201'])?.content?.['application/json']
    ?.schema;

/** The client may do without a field that the document promises, but must not require one that may be missing. */
function expectSameFields(own: unknown, documented: unknown): void {
  const withoutMarks = (form: unknown) => JSON.parse(unmarked(form));
  expect(withoutMarks(own)).toEqual(withoutMarks(documented));
  expect(optionalFields(own)).toEqual(expect.arrayContaining(optionalFields(documented)));
}

function optionalFields(form: unknown, path = ''): string[] {
  if (typeof form !== 'object' || form === null) return [];
  return Object.entries(form).flatMap(([key, value]) => {
    const place = `${path}/${key.replace('?', '')}`;
    return [...(key.endsWith('?') ? [place] : []), ...optionalFields(value, place)];
  });
}

const unmarked = (form: unknown) => JSON.stringify(form).replaceAll('?":', '":');

describe('the types of the client', () => {
  const documented = Object.keys(operations).filter((name) => jsonAnswer(name));

  it('cover every operation of the document that answers with JSON', () => {
    expect([...Object.keys(answers), ...withoutMethod]).toEqual(expect.arrayContaining(documented));
  });

  it.each(documented.filter((name) => !withoutMethod.includes(name)))(
    'have the fields that %s answers with, and no others',
    (name) => {
      const schema = answers[name];
      if (schema === undefined) throw new Error(`no method of the client calls ${name}`);
      expectSameFields(ownForm(schema), formOf(jsonAnswer(name) ?? {}));
    },
  );

  it.each([
    ['Scan', scanSchema],
    ['Snapshot', snapshotSchema],
  ])('have the fields of the request %s, with the same ones optional', (name, schema) => {
    expect(ownForm(schema)).toEqual(formOf({ $ref: `#/components/schemas/${name}` }));
  });

  it.each([
    ['AnswerDelta', deltaSchema],
    ['AnswerSources', sourcesSchema],
    ['AnswerError', errorSchema],
    ['Changed', changedSchema],
  ])('have the fields of the event %s', (name, schema) => {
    expectSameFields(ownForm(schema), formOf({ $ref: `#/components/schemas/${name}` }));
  });

  it('have the fields of an item to push, with the same ones optional', () => {
    const fields: {
      [Field in keyof Required<NewItem>]: undefined extends NewItem[Field] ? 'optional' : 'required';
    } = {
      row_key: 'required',
      content: 'required',
      frontmatter: 'required',
      tier: 'required',
      checksum: 'required',
      base_checksum: 'optional',
      frontmatter_text: 'optional',
    };
    const { properties = {}, required = [] } = schemas.ItemToPush ?? {};
    const documented = Object.keys(properties as object).map((name) => [
      name,
      (required as string[]).includes(name) ? 'required' : 'optional',
    ]);
    expect(fields).toEqual(Object.fromEntries(documented));
  });

  it('offer every parameter of the list of items', () => {
    const query = listQuery({
      since: 's',
      cursor: 'c',
      limit: 1,
      includeDeleted: true,
      prefix: 'p',
      view: 'summary',
    });
    expect([...new URLSearchParams(query).keys()].toSorted()).toEqual(parametersOf('get /items'));
  });

  it('offer every parameter of the list of tasks', () => {
    const feed = { since: 's', cursor: 'c', limit: 1, includeDeleted: true };
    const query = taskQuery({ ...feed, status: 'open', owner: 'o', project: 'p', dueBy: '2026-12-01' });
    expect([...new URLSearchParams(query).keys()].toSorted()).toEqual(parametersOf('get /tasks'));
  });

  it('offer every parameter of a list of proposals', () => {
    const query = proposalQuery({ state: 'waiting', cursor: 'x', limit: 1 });
    expect([...new URLSearchParams(query).keys()].toSorted()).toEqual(parametersOf('get /proposals'));
  });

  it('offer every parameter of a search', () => {
    const query = searchQuery('q', { limit: 1, prefix: 'a/', kind: 'item', since: '2027-01-01' });
    expect([...new URLSearchParams(query).keys()].toSorted()).toEqual(parametersOf('get /search'));
  });
});

/** The parameters of a query that the document lists, sorted. */
function parametersOf(name: string): string[] {
  const { parameters = [] } = operations[name] ?? {};
  const ofQuery = parameters.filter((parameter) => parameter.in === 'query');
  return ofQuery.map((parameter) => parameter.name ?? '').toSorted();
}
