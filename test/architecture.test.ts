import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkCircles } from './architecture/check-circles.ts';
import { checkImports, type Finding } from './architecture/check-imports.ts';
import { checkManifests } from './architecture/check-manifests.ts';
import { parseSourceFile } from './architecture/source-file.ts';
import { readSourceTree } from './architecture/source-tree.ts';

const tree = readSourceTree(join(import.meta.dirname, '..'));
const brokenTree = readSourceTree(join(import.meta.dirname, 'fixtures', 'architecture'));

const lines = (findings: Finding[]) =>
  findings.map(({ file, rule, detail }) => `${file}: ${detail} (${rule})`);

test('every import in the repository follows the import table', () => {
  expect(lines(checkImports(tree))).toEqual([]);
});

test('no files import each other in a circle', () => {
  expect(lines(checkCircles(tree))).toEqual([]);
});

test('every package declares exactly what it imports, at exact versions, as package-lock.json does', () => {
  expect(lines(checkManifests(tree))).toEqual([]);
});

test('the tree that is checked is the whole repository', () => {
  const folders = tree.packages.filter(({ files }) => files.length > 0).map(({ folder }) => folder);
  expect(folders).toEqual(expect.arrayContaining(['', 'libs/proto', 'services/content', 'test']));
});

test('each file of the fixture tree that says what it breaks is found to break just that, and no other', () => {
  const promised = brokenTree.packages
    .flatMap(({ files }) => files)
    .flatMap(({ path }) => {
      const text = readFileSync(join(brokenTree.root, path), 'utf8');
      return [...text.matchAll(/^\/\/ breaks: (.+)$/gm)].map(([, rule]) => [path, rule]);
    });
  const found = [...checkImports(brokenTree), ...checkCircles(brokenTree)].map(({ file, rule }) => [
    file,
    rule,
  ]);
  expect(found.toSorted()).toEqual(promised.toSorted());
});

test('a function of more than a hundred lines that keeps state is found, and no other', () => {
  const [short, long] = [98, 99].map((lines) => '\n'.repeat(lines));
  const texts = [
    `function counting() { let count = 0; ${long}\n}`,
    `const keeping = () => { const kept = new Map(); ${long}\n};`,
    `function small() { let count = 0; ${short}\n}`,
    `function stateless() { const many = []; ${long}\n}`,
  ];
  const found = texts.map((text) => parseSourceFile('long.ts', text).longClosures);
  expect(found).toEqual([['counting'], ['a function without a name'], [], []]);
});

test('dependencies that are missing, left over, for tests only, not pinned or not locked are found', () => {
  expect(lines(checkManifests(brokenTree)).toSorted()).toEqual([
    'gateway/package.json: loose-package is ~1.2.0, not one exact version (unpinned)',
    'gateway/package.json: package-lock.json has other dependencies: run npm install (unlocked)',
    'libs/errors/package.json: never-imported is declared but not imported, or only by tests (unused)',
    'libs/log/package.json: @teammemory/testkit is imported but not declared (undeclared)',
    'libs/log/package.json: not-declared is imported but not declared (undeclared)',
    'libs/log/package.json: unused-package is declared but not imported, or only by tests (unused)',
    'libs/testkit/package.json: vitest is only for tests: it belongs to devDependencies (for-tests)',
    'package.json: loose-tool is ^1.0.0, not one exact version (unpinned)',
  ]);
});
