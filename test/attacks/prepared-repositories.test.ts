import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EndedProgram, runToEnd } from '../support/service/run-program.ts';

// Somebody scans a repository that a stranger prepared: nothing of it is executed, and nothing outside of it is read.

const tms = join(import.meta.dirname, '../../libs/cli/src/main.ts');
/** A scan of a usual repository takes a quarter of it. */
const memoryMegabytes = 400;

let directory: TemporaryDirectory;
let root: string;

const environment = () => ({
  PATH: process.env.PATH ?? '',
  HOME: directory.path,
  NODE_OPTIONS: `--max-old-space-size=${memoryMegabytes}`,
});
const git = (args: string[], input = '') =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
    cwd: root,
    env: environment(),
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
const scan = (...args: string[]): Promise<EndedProgram> =>
  runToEnd(process.execPath, [tms, 'scan', root, ...args], environment());

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, name)), { recursive: true });
  await writeFile(join(root, name), text);
}

async function commit(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) await write(name, text);
  git(['add', '.']);
  git(['commit', '--quiet', '--allow-empty', '-m', 'One']);
}

beforeEach(async () => {
  directory = await temporaryDirectory();
  root = join(directory.path, 'repository');
  await mkdir(root);
  git(['init', '--quiet']);
});

afterEach(() => directory.remove());

describe('a repository whose settings name programs', () => {
  test('has none of them run, not even where an object is missing', async () => {
    await commit({
      'a.txt': 'x',
      '.gitattributes': '* filter=evil diff=evil\n',
      '.tms-scan.yml': 'members:\n  a@example.org: ada\n',
    });
    // A signature that git would have checked by the program of the settings.
    const unsigned = git(['cat-file', 'commit', 'HEAD']);
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n';
    const signed = git(
      ['hash-object', '-t', 'commit', '-w', '--stdin'],
      unsigned.replace('\n\n', `\n${signature}`),
    );
    git(['update-ref', 'HEAD', signed.trim()]);
    const marker = join(directory.path, 'executed');
    const program = join(directory.path, 'program.sh');
    await writeFile(program, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    for (const hook of ['post-index-change', 'post-checkout', 'reference-transaction']) {
      await writeFile(join(root, '.git/hooks', hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    }
    const settings = `
[core]
  fsmonitor = ${program}
  pager = ${program}
  sshCommand = ${program}
  editor = ${program}
  gitProxy = ${program}
  alternateRefsCommand = ${program}
[pager]
  log = ${program}
  ls-files = ${program}
[alias]
  log = !${program}
  ls-files = !${program}
[log]
  showSignature = true
  mailmap = true
[gpg]
  program = ${program}
[diff]
  external = ${program}
[diff "evil"]
  textconv = ${program}
  command = ${program}
[filter "evil"]
  clean = ${program}
  smudge = ${program}
  process = ${program}
[trailer "x"]
  command = ${program}
[credential]
  helper = !${program}
[extensions]
  partialClone = origin
[remote "origin"]
  url = ext::${program}
  promisor = true
  uploadpack = ${program}
  vcs = ext
[protocol]
  allow = always
[protocol "ext"]
  allow = always
`;
    await appendFile(
      join(root, '.git/config'),
      settings.replace('[core]', '[core]\n  repositoryformatversion = 1'),
    );
    const whole = await scan('--json');
    expect(whole.code, whole.stderr).toBe(0);
    const tree = git(['rev-parse', 'HEAD']).trim();
    await rm(join(root, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    await scan('--json');
    expect(existsSync(marker)).toBe(false);
  });

  test('shows nothing of a folder that core.worktree names', async () => {
    await commit({ 'README.md': 'x', 'package.json': '{}' });
    const outside = join(directory.path, 'outside');
    await mkdir(outside);
    await writeFile(join(outside, 'README.md'), 'words '.repeat(100));
    git(['config', 'core.worktree', outside]);
    const { code, stdout } = await scan('--json');
    expect(code).toBe(0);
    const { findings } = JSON.parse(stdout);
    expect(findings.find(({ check }: { check: string }) => check === 'readme').reason).toMatch(
      /almost nothing/,
    );
  });
});

describe('a repository with prepared files', () => {
  test('has no link followed out of it, and no pipe waited for', async () => {
    await writeFile(join(directory.path, 'outside.md'), 'words '.repeat(100));
    await symlink(join(directory.path, 'outside.md'), join(root, 'README.md'));
    await symlink('/', join(root, 'scripts'));
    await symlink('/dev/zero', join(root, 'AGENTS.md'));
    await commit({ 'package.json': '{}' });
    await rm(join(root, 'package.json'));
    execFileSync('mkfifo', [join(root, 'package.json')]);
    const { code, stdout } = await scan('--json');
    expect(code).toBe(0);
    const unknown = JSON.parse(stdout).findings.filter(
      ({ status }: { status: string }) => status === 'unknown',
    );
    expect(unknown.map(({ check }: { check: string }) => check)).toEqual(
      expect.arrayContaining(['readme', 'instructions']),
    );
  });

  test('steers no terminal and no Markdown by the names of its files', async () => {
    const name = 'a\n\u001b[2J](http://x.example) @all <img src=x> `b` | c/.env';
    await commit({ 'package.json': '{}', [name]: 'A=1' });
    const text = await scan();
    expect(text.code).toBe(0);
    expect(text.stdout).toContain('.env  A file that usually holds a secret');
    expect(text.stdout).not.toContain('\u001b');
    const markdown = (await scan('--format', 'markdown')).stdout;
    expect(markdown).not.toContain('\u001b');
    expect(markdown).not.toMatch(/\n\[2J|<img|@all|[^\\]\]\(|http:\/\/|[^\\]`b/);
    const sarif = JSON.parse((await scan('--format', 'sarif')).stdout);
    expect(JSON.stringify(sarif)).toContain('%0A%1B%5B2J');
  });

  test('is scanned in little memory and time, however large, deep and many its files are', async () => {
    await commit({
      'package.json': '{"workspaces":["**/*a*a*b"]}',
      'README.md': '',
      'pnpm-workspace.yaml': '',
    });
    await truncate(join(root, 'README.md'), 5_000_000_000);
    const blob = git(['hash-object', '-w', '--stdin']).trim();
    const deep = Array.from({ length: 200 }, (_, at) => `${'d/'.repeat(1_900)}${at}/package.json`);
    const many = Array.from({ length: 100_000 }, (_, at) => `aaaaaaaa/${at % 500}/aaaa${at}/package.json`);
    const entries = [...deep, ...many].map((path) => `100644 ${blob}\t${path}\n`).join('');
    git(['update-index', '--index-info'], entries);
    const { code, stderr } = await scan('--json');
    expect([code, stderr]).toEqual([0, '']);
  });

  test.each([
    ['aliases', `a: &a [1]\n${Array.from({ length: 2_000 }, () => '').join('b: [*a, *a]\n')}`],
    ['nesting', '['.repeat(32_000)],
    ['keys', Array.from({ length: 3_000 }, (_, at) => `? ${at}\n`).join('')],
    ['quotes', '"\\u0041'.repeat(4_000)],
    ['size', 'waivers: []\n'.repeat(100_000)],
  ])('is refused for settings of prepared %s', async (_, text) => {
    await commit({ '.tms-scan.yml': text });
    const { code, stderr } = await scan();
    expect([code, stderr]).toEqual([1, expect.stringContaining('.tms-scan.yml')]);
  });

  test('is scanned in time, whatever its texts repeat', async () => {
    const fill = (text: string) => text.repeat(Math.ceil(65_000 / text.length)).slice(0, 65_000);
    await commit({
      'package.json': fill('['),
      'Cargo.toml': fill('a = [['),
      'pyproject.toml': fill('[a.'),
      'pnpm-workspace.yaml': fill('- [').slice(0, 16_000),
      'settings.gradle': fill('include ":a"'),
      'go.work': fill('use ('),
      'go.mod': fill('require  '),
      'requirements.txt': fill('a-'),
      Makefile: fill('a b c:'),
      justfile: fill('a: a: \n'),
      GNUmakefile: fill('test: '),
      'AGENTS.md': fill('`a/a'),
      'CLAUDE.md': fill('npm run test npm  --a=b pytest '),
      '.gitlab-ci.yml': fill('npm -a -a -a   '),
      '.github/workflows/a.yml': fill('    - '),
      '.circleci/config.yml': fill('pip install pytest '),
      '.travis.yml': fill('pnpm --filter -w workspace --dir=a '),
      '.github/workflows/b.yml': fill('gradle a a a a '),
      '.gitignore': fill('.env '),
      'build.gradle': fill('<'),
      'main.js': 'x',
    });
    const { code, stderr } = await scan('--json');
    expect([code, stderr]).toEqual([0, '']);
  });
});
