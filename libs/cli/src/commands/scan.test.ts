import { execFileSync } from 'node:child_process';
import { sendJson } from '@teammemory/client/testing/serve.fixture.ts';
import { rubric } from '@teammemory/scan/rubric/scan-repository.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from '../testing/workspace.fixture.ts';

let workspace: Workspace;
/** Where git is, on any machine that has it. */
const PATH = '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin';

function git(...args: string[]): string {
  const user = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const env = { PATH, HOME: workspace.folder };
  return execFileSync('git', [...user, ...args], { cwd: workspace.folder, encoding: 'utf8', env });
}

beforeEach(async () => {
  workspace = await openWorkspace();
  workspace.env.PATH = PATH;
  git('init', '--quiet');
  git('remote', 'add', 'origin', 'https://x:token@github.com/acme/api.git');
  await workspace.write('package.json', '{"scripts":{"test":"node --test"}}');
  await workspace.write('index.js', 'x');
  await workspace.write('.github/workflows/ci.yml', 'steps:\n  - run: npm run test:gone\n');
  await workspace.write('README.md', 'words '.repeat(50));
  git('add', '.');
  git('commit', '--quiet', '-m', 'A secret message\n\nCo-Authored-By: Claude <noreply@anthropic.com>');
});

afterEach(() => workspace.close());

describe('tms scan', () => {
  it('shows pillars as bars and what to do next, the most gained first, each with its place', async () => {
    const { stdout, stderr, exitCode } = await workspace.run('scan');
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^acme\/api: L[12], [\d.]+ % \(library\)\n/);
    expect(stdout).toMatch(/\nverification {2}█+░+ +\d+ % {2}\d of \d\n/);
    expect(stdout).toContain(
      '.github/workflows/ci.yml:2  CI runs npm run test:gone, which the repository does not have.',
    );
    const gains = [...stdout.matchAll(/^ {1,3}\+([\d.]+) /gm)].map(([, gain]) => Number(gain));
    expect(gains.length).toBeGreaterThan(3);
    expect(gains).toEqual(gains.toSorted((one, other) => other - one));
  });

  it('ends with 1 below the level that is asked for', async () => {
    expect(await workspace.run('scan', '--min', 'L5')).toMatchObject({ exitCode: 1 });
    expect(await workspace.run('scan', '--min', 'L1')).toMatchObject({ exitCode: 0 });
  });

  it('pushes levels, counts and names, and no text', async () => {
    await workspace.write('.tms-scan.yml', 'members:\n  ada@example.org: ada\n');
    git('add', '.');
    workspace.service.intercept('/api/v1/codebases', (response) => {
      const counts = { contributions: 1, issues: 0 };
      sendJson(response, 200, { status: 'ok', codebase_id: 'c1', metrics_id: 'm1', ...counts });
    });
    const result = await workspace.runJson(0, 'scan', '--push', '--slug', 'the-api');
    expect(result).toMatchObject({
      pushed: { codebase_id: 'c1', metrics_id: 'm1' },
      body: {
        codebase: { slug: 'the-api', full_name: 'acme/api', provider: 'github' },
        metrics: { head_sha: git('rev-parse', 'HEAD').trim(), readiness_rubric_version: '1.1' },
        contributions: [{ member: 'ada', commits: 1, agent_commits: 1 }],
      },
    });
    expect(JSON.stringify(result.body)).not.toMatch(/secret(?!-files")|token|ada@example/);
  });

  it('pushes nothing without being told to, and says why it cannot', async () => {
    await workspace.run('scan');
    workspace.service.intercept('/api/v1/codebases', (response) => {
      sendJson(response, 404, { code: 'not_found', detail: 'There is no such path.' });
    });
    expect(await workspace.runJson(1, 'scan', '--push')).toMatchObject({ error: { code: 'not_found' } });
    git('update-ref', '-d', 'HEAD');
    expect(await workspace.runJson(1, 'scan', '--push')).toMatchObject({ error: { code: 'no_commit' } });
    expect(await workspace.runJson(0, 'scan')).toMatchObject({ body: null, pushed: null });
  });

  it('says what a check rests on', async () => {
    expect(await workspace.runJson(0, 'scan', '--explain', 'tests-in-ci')).toMatchObject({ weight: 12 });
    expect((await workspace.run('scan', '--explain', 'none')).exitCode).toBe(2);
    expect((await workspace.run('scan', '--explain', 'hooks')).stdout).toContain('rests on');
  });

  it('refuses two formats at once, a folder without git, and settings that are wrong', async () => {
    expect((await workspace.run('scan', '--json', '--format', 'sarif')).exitCode).toBe(2);
    expect(await workspace.runJson(1, 'scan', '/')).toMatchObject({ error: { code: 'no_repository' } });
    await workspace.write('.tms-scan.yml', 'waivers: 1\n');
    git('add', '.');
    expect(await workspace.runJson(1, 'scan')).toMatchObject({ error: { code: 'bad_settings' } });
  });
});

describe('tms scan --format', () => {
  const printed = async (format: string) => (await workspace.run('scan', '--format', format)).stdout;

  it('json is what --json prints', async () => {
    expect(await printed('json')).toBe((await workspace.run('scan', '--json')).stdout);
  });

  it('sarif has a rule for each check, no location that it does not know, and fingerprints that edits keep', async () => {
    await workspace.write(
      '.tms-scan.yml',
      'waivers:\n  - {check: hooks, reason: "None", until: 2999-01-01}\n',
    );
    git('add', '.');
    const log = JSON.parse(await printed('sarif'));
    const [run] = log.runs;
    expect(log).toMatchObject({ version: '2.1.0', runs: [{ tool: { driver: { name: 'tms scan' } } }] });
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(rubric.map(({ id }) => id));
    for (const result of run.results) {
      expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
      expect(['warning', 'note']).toContain(result.level);
      expect(result.message.text).toMatch(/\w/);
      expect(result.partialFingerprints['check/v1']).toMatch(/^[0-9a-f]{64}$/);
    }
    const of = (id: string) => run.results.find(({ ruleId }: { ruleId: string }) => ruleId === id);
    expect(of('tests-in-ci').locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: '.github/workflows/ci.yml', uriBaseId: '%SRCROOT%' },
          region: { startLine: 2 },
        },
      },
    ]);
    expect(of('owners')).not.toHaveProperty('locations');
    expect(of('hooks').suppressions).toEqual([{ kind: 'external', justification: 'None' }]);
    await workspace.write('.github/workflows/ci.yml', '# New\nsteps:\n  - run: npm run test:gone\n');
    const [later] = JSON.parse(await printed('sarif')).runs;
    const moved = later.results.find(({ ruleId }: { ruleId: string }) => ruleId === 'tests-in-ci');
    expect(moved.locations[0].physicalLocation.region).toEqual({ startLine: 3 });
    expect(moved.partialFingerprints).toEqual(of('tests-in-ci').partialFingerprints);
  });

  it('markdown and badge have level and percentage', async () => {
    expect(await printed('markdown')).toMatch(
      /^## acme\/api: L\d, [\d.]+ %\n\n\| pillar \| earned \| checks \|\n/,
    );
    expect(await printed('badge')).toMatch(/^<svg [^>]*aria-label="agent readiness: L\d · \d+ %">/);
  });
});
