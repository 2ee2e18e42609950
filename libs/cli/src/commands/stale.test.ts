import { afterEach, beforeEach, expect, test } from 'vitest';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;

beforeEach(async () => {
  workspace = await openWorkspace();
});

afterEach(() => workspace.close());

const put = (row_key: string, frontmatter: Record<string, unknown>) =>
  workspace.service.put({
    row_key,
    frontmatter,
    content: 'x',
    checksum: `sha256:${'0'.repeat(64)}`,
    tier: 'team',
  });

test('tms stale lists notes whose day has passed, the longest first, in their last form', async () => {
  put('later.md', { review_by: '2026-11-20' });
  put('sooner.md', { review_by: '2026-11-02' });
  put('today.md', { review_by: '2026-11-21' });
  put('without.md', {});
  put('corrected.md', { review_by: '2026-11-01' });
  put('corrected.md', { review_by: '2027-11-01' });
  const shown = await workspace.run('stale');
  expect(shown.exitCode).toBe(0);
  expect(
    shown.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/).slice(0, 2)),
  ).toEqual([
    ['sooner.md', 'to be checked since 2026-11-02'],
    ['later.md', 'to be checked since 2026-11-20'],
  ]);
  const { notes } = await workspace.runJson(0, 'stale');
  expect(notes).toMatchObject([
    { row_key: 'sooner.md', to_be_checked_since: '2026-11-02' },
    { row_key: 'later.md' },
  ]);
});

test('tms stale --repo ends with a sentence where there is no repository', async () => {
  const { exitCode, stderr } = await workspace.run('stale', '--repo', '/nowhere');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('/nowhere is no folder')]);
});
