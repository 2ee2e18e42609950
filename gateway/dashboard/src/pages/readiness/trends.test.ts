import { create } from '@bufbuild/protobuf';
import { CodebaseSummarySchema } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import { expect, test } from 'vitest';
import { changeOf, type Order, ordered } from './trends.ts';

const codebase = (slug: string, agenticScore?: number) =>
  create(CodebaseSummarySchema, {
    codebase: { slug, fullName: slug },
    newestScan: agenticScore === undefined ? undefined : { agenticScore },
  });
const codebases = [codebase('a', 40), codebase('b', 70), codebase('c'), codebase('d', 70)];
const trends = new Map([
  ['a', [10, 40]],
  ['b', [65, 70]],
  ['d', [70]],
]);

test.each<[Order, string]>([
  ['name', 'abcd'],
  ['score', 'bdac'],
  ['change', 'abcd'],
])('codebases are ordered by %s, those without a figure last', (order, slugs) => {
  expect(
    ordered(codebases.toReversed(), order, trends)
      .map((each) => each.codebase?.slug)
      .join(''),
  ).toBe(slugs);
});

test('a change is from the first to the last scan, and needs two', () => {
  expect(changeOf([40, 10, 55])).toBe(15);
  expect(changeOf([40])).toBeUndefined();
  expect(changeOf(undefined)).toBeUndefined();
});
