import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rubric } from './rubric/scan-repository.ts';

test('the dashboard calls every check as the rubric does', () => {
  const file = '../../../gateway/dashboard/src/pages/readiness/checks.ts';
  const page = readFileSync(join(import.meta.dirname, file), 'utf8');
  const words = [...page.matchAll(/'((?:[^'\\]|\\.)+)'/g)].map(([, text]) => text);
  const named = rubric.flatMap(({ id, title, fix }) => [id, title, fix]);
  expect(words).toEqual(expect.arrayContaining(named));
});

test('docs/scan.md lists every check with its points', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/scan.md'), 'utf8');
  const listed = [...page.matchAll(/`([a-z-]+)` (\d+)(?=,| \|)/g)].map(([, check, points]) => [
    check,
    points,
  ]);
  expect(listed).toEqual(rubric.map(({ id, weight }) => [id, String(weight)]));
});
