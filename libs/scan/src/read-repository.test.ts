import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contributionsOf, countContributions } from './contributions.ts';
import { findRoot } from './git.ts';
import { readRepository } from './read-repository.ts';
import { scanOf } from './rubric/facts.fixture.ts';
import { codebaseName, scanBody } from './scan-body.ts';

let directory: TemporaryDirectory;
let root: string;
/** Where git is, on any machine that has it. */
const PATH = '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin';
const options = () => ({
  env: { PATH, HOME: directory.path },
  signal: new AbortController().signal,
});
const git = (...args: string[]) =>
  promisify(execFile)('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: root,
    env: { PATH, HOME: directory.path },
  });

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, name)), { recursive: true });
  await writeFile(join(root, name), text);
}

beforeEach(async () => {
  directory = await temporaryDirectory();
  root = join(directory.path, 'repository');
  await mkdir(root);
  await git('init', '--quiet');
});

afterEach(() => directory.remove());

describe('reading a repository', () => {
  test('takes tracked files only, from any folder within it, and what checks need of them', async () => {
    await write('package.json', '{}');
    await write('src/deep/a.js', 'x');
    await write('.gitignore', 'dist/\n');
    await write('dist/package.json', '{}');
    await write('new.js', 'x');
    await git('add', 'package.json', 'src', '.gitignore');
    expect(findRoot(join(root, 'src/deep'))).toBe(root);
    const { paths, texts, cut } = await readRepository(root, options());
    expect(paths).toEqual(['.gitignore', 'package.json', 'src/deep/a.js']);
    expect([...texts.keys()]).toEqual(['.gitignore', 'package.json']);
    expect(cut.size).toBe(0);
  });

  test('reads the beginning of a large file, and marks it', async () => {
    await write('README.md', 'é'.repeat(100_000));
    await git('add', '.');
    const { texts, cut } = await readRepository(root, options());
    expect(texts.get('README.md')?.length).toBe(32_768);
    expect([...cut]).toEqual(['README.md']);
  });

  test('follows a link within the repository, and none that leads out or into .git', async () => {
    await writeFile(join(directory.path, 'secret'), 'a secret');
    await write('AGENTS.md', 'Run `npm test`.');
    await symlink('AGENTS.md', join(root, 'CLAUDE.md'));
    await symlink(join(directory.path, 'secret'), join(root, 'README.md'));
    await symlink('.git/config', join(root, 'GEMINI.md'));
    await symlink(directory.path, join(root, 'scripts'));
    await git('add', '.');
    const { texts } = await readRepository(root, options());
    expect([...texts.keys()]).toEqual(['AGENTS.md', 'CLAUDE.md']);
  });

  test('ends when it is cancelled', async () => {
    await write('README.md', 'x');
    await git('add', '.');
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(readRepository(root, { ...options(), signal })).rejects.toThrow('enough');
  });

  test('a folder that is missing or outside of every repository is refused', () => {
    expect(() => findRoot(join(root, 'none'))).toThrow('is no folder');
    expect(() => findRoot('/')).toThrow('no git repository');
  });
});

describe('contributions', () => {
  const members = new Map([
    ['ada@example.org', 'ada'],
    ['bo@example.org', 'bo'],
  ]);

  test('are counted by address; the trailers of agents and their own commits are seen', async () => {
    await git('commit', '--allow-empty', '-m', 'One');
    await git('commit', '--allow-empty', '-m', 'Two\n\nCo-Authored-By: Claude <noreply@anthropic.com>');
    await git('commit', '--allow-empty', '-m', 'Three', '--author', 'X <x@example.org>');
    const own = 'Four\n\nCo-authored-by: Bo <Bo@example.org>';
    await git(
      'commit',
      '--allow-empty',
      '-m',
      own,
      '--author',
      'Copilot <1+Copilot@users.noreply.github.com>',
    );
    expect(await countContributions(root, members, options())).toEqual([
      { member: 'ada', commits: 2, agent_commits: 1 },
      { member: 'bo', commits: 1, agent_commits: 1 },
    ]);
    expect(await countContributions(root, new Map(), options())).toEqual([]);
  });

  test.each([
    ['Generated-by: a tool', 1],
    ['Co-authored-by: Bo <bo@example.org>', 0],
    ['The word Claude in a message', 0],
    ['Co-authored-by: aider (gpt) <aider@aider.chat>', 1],
  ])('of a commit with "%s" agents wrote %i', (message, agents) => {
    expect(contributionsOf(`ada@example.org\0A\n\n${message}\n\0\0`, members)).toEqual([
      { member: 'ada', commits: 1, agent_commits: agents },
    ]);
  });
});

describe('what is pushed', () => {
  test.each([
    ['https://x:secret@github.com/Acme/My_API.git', 'my-api', 'Acme/My_API', 'github'],
    ['git@gitlab.com:acme/tools/web.git\n', 'web', 'acme/tools/web', 'gitlab'],
    ['ssh://git@git.example.org:2222/acme/api', 'api', 'acme/api', 'git.example.org'],
    ['', 'the-folder', 'the folder', 'git'],
    ['https://github.com/acme/---', 'codebase', 'acme/---', 'github'],
  ])('names the codebase of %s', (remote, slug, full_name, provider) => {
    expect(codebaseName(remote, 'the folder')).toEqual({ slug, full_name, provider });
  });

  test('counts the same skill for two clients once', () => {
    const files = {
      'CLAUDE.md': 'x',
      '.claude/skills/deploy/SKILL.md': 'x',
      '.agents/skills/deploy/SKILL.md': 'x',
      'docs/skills/none/SKILL.md': 'x',
      '.claude/commands/a/b.md': 'x',
      '.gemini/commands/c.toml': 'x',
    };
    const known = {
      paths: Object.keys(files),
      codebase: codebaseName('', 'a'),
      headSha: 'abc',
      contributions: [],
    };
    expect(scanBody(scanOf(files), known).metrics).toMatchObject({
      head_sha: 'abc',
      has_assistant_md: true,
      has_agents_md: false,
      skills_count: 1,
      commands_count: 2,
    });
  });
});
