import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Methods of store interfaces whose first parameter is not the team, as `Store.method`. */
function methodsWithoutTeam(): string[] {
  return globSync('services/*/domain/**/*.ts', {
    cwd: root,
    exclude: (file) => /\.(test|fixture)\.ts$/.test(file),
  }).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(/^export interface (\w+Store) \{(.*?)^\}/gms)].flatMap(([, store, body = '']) =>
      [...body.matchAll(/^ {2}(\w+)\(\s*(\w+)/gm)]
        .filter(([, , parameter]) => parameter !== 'teamId')
        .map(([, method]) => `${store}.${method}`),
    );
  });
}

test('every store method takes the team first, but for those that docs/architecture.md names', () => {
  const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const [, sentence = ''] = /takes the team first\. (Only .*?\.) There are/.exec(page) ?? [];
  const named = [...sentence.matchAll(/`(\w+(?:\.\w+)?)`/g)].map(([, name = '']) => name);
  const found = methodsWithoutTeam();
  expect(named).toContain('KeyStore.findById');
  const isNamed = (method: string) => named.some((name) => `${method}.`.startsWith(`${name}.`));
  expect(found.filter((method) => !isNamed(method))).toEqual([]);
  const isNeeded = (name: string) => found.some((method) => `${method}.`.startsWith(`${name}.`));
  expect(named.filter((name) => !isNeeded(name))).toEqual([]);
});
