import { sendJson } from '@teammemory/client/testing/serve.fixture.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

it('ends where a list of codebases or scans does not advance', async () => {
  for (const [path, list, ...command] of [
    ['codebases', 'codebases', 'codebases'],
    ['codebases/api/scans', 'scans', 'codebases', 'api'],
  ] as const) {
    const page = { [list]: [], next_cursor: 'bmV4dA', has_more: true };
    answerOnce(path, page);
    answerOnce(path, page);
    expect((await workspace.run(...command)).stderr).toContain('The list does not advance.');
  }
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

describe('--teams', () => {
  const team = (slug: string) => ({ authorization: `Bearer tms_${slug}_secret`, 'x-svc-team': slug });

  /** Answers the next request, and remembers which key and team it was for. */
  function answerNext(path: string, body: object, asked: object[]): void {
    workspace.service.intercept(`/api/v1/${path}`, (response) => {
      const { authorization, 'x-svc-team': slug } = response.req.headers;
      asked.push({ authorization, 'x-svc-team': slug });
      sendJson(response, 200, body);
    });
  }

  beforeEach(async () => {
    const { url } = workspace.service;
    const keys = Object.fromEntries(
      ['rivers', 'lakes'].map((slug) => [`${url}/ ${slug}`, `tms_${slug}_secret`]),
    );
    const others = { 'https://elsewhere.example hills': 'tms_hills_secret' };
    await workspace.write('.config/tms/config.json', JSON.stringify({ keys: { ...keys, ...others } }));
  });

  it('puts teams side by side, each asked with its own stored key alone', async () => {
    const withheld = { members: 2, withheld: true, spines: null, median_axes: null };
    const shown = {
      members: 3,
      withheld: false,
      spines: { L3: 1, L2: 2, L0: 0 },
      median_axes: { autonomy: 2.5 },
    };
    const period = { from: '2026-11-16', to: '2026-11-22', rubric_version: 1 };
    const asked: object[] = [];
    const both = () => {
      const trend = [{ week: '2026-11-16', ...shown }];
      answerNext('rollup', { ...period, current: shown, trend }, asked);
      answerNext('rollup', { ...period, current: withheld, trend: [] }, asked);
    };
    both();
    const { stdout } = await workspace.run('rollup', '--teams');
    expect(stdout.trimEnd().split('\n')).toEqual([
      '                 rivers      lakes',
      'members          3           2',
      'now              L2 2, L3 1  withheld',
      'median autonomy  2.5         withheld',
      '2026-11-16       L2 2, L3 1  -',
    ]);
    expect(asked).toEqual([team('rivers'), team('lakes')]);
    both();
    expect(await workspace.runJson(0, 'rollup', '--teams', 'lakes,rivers')).toMatchObject({
      teams: [{ team: 'lakes' }, { team: 'rivers', current: withheld }],
    });
    expect(asked.slice(2)).toEqual([team('lakes'), team('rivers')]);
  });

  it('lists the codebases of every team with its name', async () => {
    const page = (slug: string) => {
      const codebase = { slug, full_name: `acme/${slug}`, provider: 'github', newest_scan: null };
      return { codebases: [codebase], next_cursor: null, has_more: false };
    };
    answerNext('codebases', page('api'), []);
    answerNext('codebases', page('web'), []);
    expect((await workspace.run('codebases', '--teams', 'rivers, lakes')).stdout).toBe(
      'rivers  api  -  -  -  -  acme/api\nlakes   web  -  -  -  -  acme/web\n',
    );
  });

  it('asks nobody if a key is missing or another one is given', async () => {
    const asked: object[] = [];
    answerNext('rollup', {}, asked);
    const missing = await workspace.runJson(1, 'rollup', '--teams', 'rivers,hills');
    expect(missing).toMatchObject({ error: { code: 'no_key', detail: expect.stringContaining('hills') } });
    for (const more of [
      ['--key', 'tms_a_b'],
      ['--team', 'lakes'],
    ]) {
      expect((await workspace.run('rollup', '--teams', 'rivers', ...more)).exitCode).toBe(2);
    }
    expect((await workspace.run('codebases', 'api', '--teams')).exitCode).toBe(2);
    const many = Array.from({ length: 21 }, (_, at) => `t${at}`).join(',');
    expect((await workspace.run('rollup', '--teams', many)).exitCode).toBe(2);
    expect(asked).toEqual([]);
  });
});
