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

test('ADR 39 lists every check with its weight and what it rests on', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/adr/0039-rubric-of-scans.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([^`]+)` \| (\d+) \| (.+) \|$/gm)].map(([, ...cells]) => cells);
  expect(rows).toEqual(rubric.map(({ id, weight, rests_on }) => [id, String(weight), rests_on]));
});
