import { expect, test } from 'vitest';
import { publicRepositories } from './public-repositories.fixture.ts';
import { scanOf } from './rubric/facts.fixture.ts';
import type { RepositoryScan } from './rubric/scan-repository.ts';

/** What a scan says of a kind or check: of a monorepo, whether one of its parts passes. */
function foundBy({ kind, findings }: RepositoryScan, fact: string): string | undefined {
  if (fact === 'kind') return kind;
  const statuses = findings.filter(({ check }) => check === fact).map(({ status }) => status);
  return (['pass', 'fail'] as const).find((status) => statuses.includes(status)) ?? statuses[0];
}

test.each(publicRepositories)('$name is judged as a reader did, or as is recorded', (repository) => {
  const { contents, expected, found_instead, level } = repository;
  const scan = scanOf(contents);
  const found = Object.keys(expected).map((fact) => [fact, foundBy(scan, fact)]);
  expect(Object.fromEntries(found)).toEqual({ ...expected, ...found_instead });
  expect(scan.level).toBe(level);
});

test.each([
  ['seen', 116, 120],
  ['unseen', 97, 118],
])('a reader and the scanner agree about the %s half in %i of %i facts', (half, agreed, all) => {
  const own = publicRepositories.filter((each) => each.half === half);
  const count = (of: 'expected' | 'found_instead') =>
    own.reduce((sum, each) => sum + Object.keys(each[of]).length, 0);
  expect(own).toHaveLength(20);
  expect([count('expected') - count('found_instead'), count('expected')]).toEqual([agreed, all]);
});
