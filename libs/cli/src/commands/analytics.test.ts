import { sendJson } from '@teammemory/client/testing/serve.fixture.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;

beforeEach(async () => {
  workspace = await openWorkspace();
});

afterEach(() => workspace.close());

const scan = (head_sha: string) => ({
  head_sha,
  readiness_level: 'L3',
  readiness_pct: 62.5,
  readiness_pillars: { tests: { passed: 5, total: 8 } },
  agentic_score: 71.25,
  failed_checks: ['hooks'],
  pushed_at: '2026-11-21T06:27:00.123Z',
});

function answerOnce(path: string, body: object): void {
  workspace.service.intercept(`/api/v1/${path}`, (response) => sendJson(response, 200, body));
}

it('lists the codebases of all pages, and one whose scans were forgotten', async () => {
  const named = (slug: string) => ({ slug, full_name: `acme/${slug}`, provider: 'github' });
  const pages = () => {
    const first = [{ ...named('api'), newest_scan: scan('4b825dc642cb6eb9a060') }];
    answerOnce('codebases', { codebases: first, next_cursor: 'bmV4dA', has_more: true });
    const second = [{ ...named('web'), newest_scan: null }];
    answerOnce('codebases', { codebases: second, next_cursor: null, has_more: false });
  };
  pages();
  expect((await workspace.run('codebases')).stdout).toBe(
    'api  L3  71.3  4b825dc642cb  2026-11-21T06:27Z  acme/api\nweb  -   -     -             -                  acme/web\n',
  );
  pages();
  expect(await workspace.runJson(0, 'codebases')).toMatchObject({
    codebases: [{ slug: 'api' }, { slug: 'web' }],
  });
});

it('lists the scans of a codebase', async () => {
  answerOnce('codebases/api/scans', { scans: [scan('abc')], next_cursor: null, has_more: false });
  expect((await workspace.run('codebases', 'api')).stdout).toMatch(/^L3 {2}71.3 {2}abc {2}2026-11-21/);
});

it('says how the team stands, and that figures of fewer than three members are withheld', async () => {
  const withheld = { members: 2, withheld: true, spines: null, median_axes: null };
  const shown = { members: 3, withheld: false, spines: { L2: 3 }, median_axes: { autonomy: 2.5 } };
  const trend = [{ week: '2026-11-16', ...withheld }];
  answerOnce('rollup', { from: '2026-11-16', to: '2026-11-22', rubric_version: 1, current: shown, trend });
  const { stdout } = await workspace.run('rollup', '--weeks', '1');
  expect(stdout).toContain('3 members: L2 3\n  median autonomy 2.5');
  expect(stdout).toContain('2026-11-16  2 members; figures are withheld below 3');
});
