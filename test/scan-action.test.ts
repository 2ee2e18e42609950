import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
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

interface GitlabJob {
  variables: Record<string, string>;
  script: string[];
  artifacts: { paths: string[] };
}

/** Reads the include as GitLab does: inputs, or their defaults, take their places before the YAML means anything. */
function includedJob(inputs: Record<string, string>): GitlabJob {
  const [header, content] = read('gitlab.yml').split(/^---$/m);
  const { spec } = parse(header ?? '');
  const known = Object.entries(spec.inputs as Record<string, { default: string }>);
  const values = new Map(known.map(([name, input]) => [name, inputs[name] ?? input.default]));
  for (const name of Object.keys(inputs)) expect(values.has(name), name).toBe(true);
  return JSON.parse(JSON.stringify(parse(content ?? '')['tms-scan']), (_, value) =>
    typeof value === 'string'
      ? value.replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_found, name) => {
          expect(values.has(name), name).toBe(true);
          return values.get(name) ?? '';
        })
      : value,
  );
}

/** Runs the script of the include in one shell that ends at the first failure, with what GitLab sets. */
function runInclude(
  inputs: Record<string, string>,
  secrets: Record<string, string> = {},
): Promise<EndedProgram> {
  const { variables, script } = includedJob(inputs);
  const project = join(directory.path, 'api');
  const lines = ['set -eo pipefail', `cd "$CI_PROJECT_DIR"`, ...script];
  return runToEnd('bash', ['-c', lines.join('\n')], {
    PATH: `${join(directory.path, 'tms/bin')}:${join(directory.path, 'bin')}:${process.env.PATH}`,
    HOME: directory.path,
    RUNNER_TEMP: directory.path,
    CI: 'true',
    GITLAB_CI: 'true',
    CI_PROJECT_DIR: project,
    CI_PROJECT_PATH: 'acme/api',
    CI_COMMIT_SHA: 'abc',
    CI_JOB_NAME: 'tms-scan',
    ...variables,
    ...secrets,
  });
}

describe('the include for GitLab', () => {
  test("fits GitLab's schema", () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    formats.default(ajv);
    const schema = readFileSync(join(root, 'test/fixtures/schemas/gitlab-ci.json'), 'utf8');
    const validate = ajv.compile(JSON.parse(schema));
    const documents = parseAllDocuments(read('gitlab.yml')).map((each) => each.toJS());
    expect(documents.map((each) => Object.keys(each))).toEqual([['spec'], ['tms-scan']]);
    for (const each of documents) {
      validate(each);
      expect(validate.errors ?? []).toEqual([]);
    }
  });

  test('scans, leaves what it names as artifacts, and fails below the level', async () => {
    const { artifacts } = includedJob({});
    expect(await runInclude({})).toMatchObject({ code: 0, stdout: expect.stringMatching(/ L\d, /) });
    expect(await inRunner('npm')).toMatch(/--ignore-scripts .*@teammemory\/cli@\d+\.\d+\.\d+/);
    expect(artifacts.paths).toEqual(['tms-scan.md', 'tms-scan.sarif']);
    expect(await inRunner('api/tms-scan.md')).toMatch(/^## api: L\d/);
    expect(JSON.parse(await inRunner('api/tms-scan.sarif'))).toMatchObject({ version: '2.1.0' });
    expect(await runInclude({ min: 'L5' })).toMatchObject({ code: 1 });
  });

  test('sends the result where the masked variable is, and nothing without it', async () => {
    const { slug, teamKey } = await newTeam(service());
    const inputs = { url: service().url, team: slug };
    const sent = await runInclude(inputs, { TMS_KEY: teamKey });
    expect(sent).toMatchObject({ code: 0, stderr: `tms: pushed to team ${slug} as api\n` });
    expect(await runInclude(inputs)).toMatchObject({ code: 0, stderr: '' });
  });

  test('takes inputs as values, never as commands or options', async () => {
    const marker = join(directory.path, 'executed');
    for (const text of [`$(touch ${marker})`, `"; touch ${marker}; "`]) {
      expect((await runInclude({ folder: text })).code, text).not.toBe(0);
    }
    expect((await runInclude({ min: `$(touch ${marker})` })).code).toBe(2);
    expect(existsSync(marker)).toBe(false);
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
