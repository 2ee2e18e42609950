import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Content, Operation } from '../contract/operation.ts';
import { httpAnswers } from '../http-error.ts';
import { apiOperations } from '../operations.ts';
import { publicOperations } from '../public/operations.ts';
import { openApiDocument } from './document.ts';
import { tags } from './info.ts';
import { operationProblems } from './problem-responses.ts';

const operations: [string, Operation][] = Object.entries({ ...apiOperations, ...publicOperations });
const document = openApiDocument();

test('docs/openapi.json is the generated document; `npm run openapi` renews it', () => {
  const committed = readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8');
  expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(document)));
});

test('every reference has a target, and every component is referred to', () => {
  const referred = new Set(
    [...JSON.stringify(document).matchAll(/"#\/components\/([^"]+)"/g)].map(([, name]) => name),
  );
  const { securitySchemes, ...components } = document.components as Record<string, object>;
  const defined = Object.entries(components).flatMap(([kind, entries]) =>
    Object.keys(entries).map((name) => `${kind}/${name}`),
  );
  expect(securitySchemes).toHaveProperty('key');
  expect([...referred].sort()).toEqual(defined.sort());
});

test('a client that keeps to the document can send every item that is refused by itself', () => {
  const { schemas } = document.components as { schemas: Record<string, Record<string, object>> };
  const { properties = {} } = schemas.ItemToPush ?? {};
  expect(Object.keys(properties)).toContain('tier');
  // Types and words: no list of tiers, no pattern and no bound.
  const rules = JSON.stringify(properties)
    .matchAll(/"(\w+)":(?=["{[\d])/g)
    .map(([, name]) => name);
  const said = new Set([...Object.keys(properties), 'type', 'description', 'anyOf']);
  expect(rules.filter((name) => !said.has(name ?? '')).toArray()).toEqual([]);
});

test.each(operations)('the examples of %s are valid', (_name, { body, answer }) => {
  for (const { schema, example, events } of [body, answer.content].filter(isContent)) {
    if (schema !== undefined) expect(schema.safeParse(example).error).toBeUndefined();
    const blocks = events === undefined ? [] : String(example).trimEnd().split('\n\n');
    for (const block of blocks) {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      expect(events?.[event]?.safeParse(JSON.parse(data)).error, event).toBeUndefined();
    }
  }
});

test.each(operations)(
  'the problems of %s have the statuses of their codes and valid examples',
  (_, operation) => {
    expect(tags.map(({ name }) => name)).toContain(operation.tag);
    for (const [status, problems] of operationProblems(operation)) {
      for (const problem of problems) {
        expect(httpAnswers[problem.shape.code.value].status).toBe(status);
        const { examples } = z.globalRegistry.get(problem) ?? {};
        expect(z.array(problem.strict()).min(1).safeParse(examples).error).toBeUndefined();
      }
    }
  },
);

function isContent(content: Content | undefined): content is Content {
  return content !== undefined;
}
