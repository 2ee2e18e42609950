import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type TemporaryDirectory, temporaryDirectory } from '@teammemory/testkit/temporary-directory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { goneNamesIn, readGoneNames } from './gone-names.ts';

let directory: TemporaryDirectory;
let root: string;
const PATH = '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin';
const git = (...args: string[]) =>
  promisify(execFile)('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: root,
    env: { PATH, HOME: directory.path },
  });

async function commit(files: Record<string, string | undefined>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    await mkdir(dirname(path), { recursive: true });
    if (text === undefined) await rm(path);
    else await writeFile(path, text);
  }
  await git('add', '--all');
  await git('commit', '--quiet', '-m', 'x');
}

beforeEach(async () => {
  directory = await temporaryDirectory();
  root = join(directory.path, 'repository');
  await mkdir(root);
  await git('init', '--quiet');
});

afterEach(() => directory.remove());

const manifest = (scripts: Record<string, string>) => JSON.stringify({ scripts }, null, 2);

test('of what a note names, only what the repository once had and has no more is told', async () => {
  await commit({
    'package.json': manifest({ build: 'a', deploy: 'b', lint: 'c' }),
    'src/old/a.ts': 'a',
    'src/kept.ts': 'k',
    'src/back.ts': 'b',
    'notes.md': 'n',
  });
  await commit({
    'package.json': manifest({ build: 'changed', lint: 'c' }),
    'src/old/a.ts': undefined,
    'src/back.ts': undefined,
    'notes.md': undefined,
  });
  await commit({ 'src/back.ts': 'again' });
  const gone = await readGoneNames(root, {
    env: { PATH, HOME: directory.path },
    signal: new AbortController().signal,
  });
  const note = [
    'See `./src/old/a.ts`, src/old/ and [notes](notes.md).',
    'Kept: src/kept.ts, src/back.ts, `npm run build`, `npm run lint`.',
    'Elsewhere: https://acme.example/src/old/a.ts, lib/never.ts, npm run never.',
    'Then npm run deploy.',
  ].join('\n');
  expect(goneNamesIn(note, gone)).toEqual(['src/old/a.ts', 'src/old', 'notes.md', 'npm run deploy']);
});
