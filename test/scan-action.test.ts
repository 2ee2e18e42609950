import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newTeam } from './support/http/key-holder.ts';
import { type EndedProgram, runToEnd } from './support/service/run-program.ts';
import { sharedService } from './support/service/shared-service.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'deploy/actions/scan');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

const service = sharedService();
let directory: TemporaryDirectory;

/** Stands in for npm, and installs the program of this repository. */
const npm = `#!/bin/sh
mkdir -p "$RUNNER_TEMP/tms/bin"
printf '#!/bin/sh\\nexec "${process.execPath}" "${join(root, 'libs/cli/src/main.ts')}" "$@"\\n' > "$RUNNER_TEMP/tms/bin/tms"
chmod +x "$RUNNER_TEMP/tms/bin/tms"
echo "$@" > "$RUNNER_TEMP/npm"
`;
/** Stands in for the command line of GitHub, and keeps what it was asked to do. */
const gh = '#!/bin/sh\necho "$@" > "$RUNNER_TEMP/gh"\n';

beforeEach(async () => {
  directory = await temporaryDirectory();
  const repository = join(directory.path, 'api');
  await mkdir(join(repository, '.github/workflows'), { recursive: true });
  await writeFile(join(repository, 'package.json'), '{"scripts":{"test":"node --test"}}');
  await writeFile(join(repository, 'main.js'), 'x');
  await writeFile(join(repository, '.github/workflows/ci.yml'), 'steps:\n  - run: npm run test:gone\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'One');
  await mkdir(join(directory.path, 'bin'));
  for (const [name, text] of Object.entries({ npm, gh })) {
    await writeFile(join(directory.path, 'bin', name), text, { mode: 0o755 });
  }
});

afterEach(() => directory.remove());

const inRunner = (name: string) => readFile(join(directory.path, name), 'utf8');

/** Runs the step of the action with some inputs. */
function runAction(inputs: Record<string, string>): Promise<EndedProgram> {
  return runToEnd('bash', [join(folder, 'scan.sh')], {
    PATH: `${join(directory.path, 'bin')}:${process.env.PATH}`,
    HOME: directory.path,
    RUNNER_TEMP: directory.path,
    GITHUB_STEP_SUMMARY: join(directory.path, 'summary.md'),
    GITHUB_REPOSITORY: 'acme/api',
    GITHUB_SHA: 'abc',
    GITHUB_REF: 'refs/heads/main',
    SCAN_FOLDER: join(directory.path, 'api'),
    SCAN_MIN: '',
    SCAN_PUSH: 'false',
    SCAN_UPLOAD: 'false',
    SCAN_PACKAGE: '@teammemory/cli@0.1.0',
    SCAN_KEY: '',
    ...inputs,
  });
}

describe('the action for GitHub', () => {
  test('writes the summary of the job, and fails below the level', async () => {
    expect(await runAction({})).toMatchObject({ code: 0 });
    expect(await inRunner('summary.md')).toMatch(/^## api: L\d/);
    expect(await inRunner('npm')).toMatch(/--ignore-scripts .*@teammemory\/cli@0\.1\.0/);
    expect(existsSync(join(directory.path, 'gh'))).toBe(false);
    expect(await runAction({ SCAN_MIN: 'L5' })).toMatchObject({ code: 1 });
  });

  test('sends the result with a key, and scans without one', async () => {
    const { slug, teamKey } = await newTeam(service());
    const push = { SCAN_PUSH: 'true', TMS_URL: service().url, TMS_TEAM: slug };
    const sent = await runAction({ ...push, SCAN_KEY: teamKey });
    expect(sent).toMatchObject({ code: 0, stderr: `tms: pushed to team ${slug} as api\n` });
    const fork = await runAction(push);
    expect(fork).toMatchObject({ code: 0, stdout: expect.stringContaining('::notice::There is no key') });
  });

  test('uploads the results that have a place, as GitHub takes them', async () => {
    expect(await runAction({ SCAN_UPLOAD: 'true' })).toMatchObject({ code: 0 });
    expect(await inRunner('gh')).toMatch(/repos\/acme\/api\/code-scanning\/sarifs .*commit_sha=abc/);
    const sarif = JSON.parse(gunzipSync(Buffer.from(await inRunner('scan.sarif'), 'base64')).toString());
    expect(sarif.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual(['tests-in-ci']);
  });

  test('takes inputs as values, never as commands or options', async () => {
    const marker = join(directory.path, 'executed');
    for (const text of [`$(touch ${marker})`, `"; touch ${marker}; "`, '--push']) {
      expect((await runAction({ SCAN_FOLDER: text })).code, text).not.toBe(0);
    }
    expect((await runAction({ SCAN_MIN: `$(touch ${marker})` })).code).toBe(2);
    expect(existsSync(marker)).toBe(false);
    expect(read('action.yml')).not.toMatch(/run:[^\n]*\$\{\{|^\s*-?\s*uses:/m);
  });
});

test('names of files are no commands to the runner', async () => {
  await mkdir(join(directory.path, 'api/::error::x'));
  await writeFile(join(directory.path, 'api/::error::x/.env'), 'x');
  execFileSync('git', ['add', '.'], { cwd: join(directory.path, 'api') });
  const { code, stdout } = await runAction({});
  expect(code).toBe(0);
  expect(stdout).toMatch(/^::stop-commands::([0-9a-f]{32})\n[\s\S]*::error::x\/\.env[\s\S]*\n::\1::\n$/);
});

test('action and include install the version of this repository', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'libs/cli/package.json'), 'utf8'));
  for (const name of ['action.yml', 'gitlab.yml']) {
    expect(read(name)).toContain(`"@teammemory/cli@${version}"`);
  }
});
