import { expect, test } from 'vitest';
import { reviewDay } from './freshness.ts';

const updatedAt = '2026-11-21T23:59:59.000Z';

test.each([
  [{ review_by: '2027-03-01' }, '2027-03-01'],
  [{ stale_after: '90d' }, '2027-02-19'],
  [{ stale_after: '0d' }, '2026-11-21'],
  [{ review_by: '2027-03-01', stale_after: '90d' }, '2027-02-19'],
  [{ review_by: '2026-12-01', stale_after: '90d' }, '2026-12-01'],
  [{ review_by: '2027-02-30' }, undefined],
  [{ review_by: '2027-02-30', stale_after: '1d' }, '2026-11-22'],
  [{ review_by: 20_270_301, stale_after: 90 }, undefined],
  [{ stale_after: '99999999d' }, undefined],
  [{}, undefined],
])('of a front matter %j the day to check is %s', (frontmatter, day) => {
  expect(reviewDay(frontmatter, updatedAt)).toBe(day);
});
