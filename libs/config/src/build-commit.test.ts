import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildCommit } from './build-commit.ts';

const one = '1'.repeat(40);
const two = '2'.repeat(40);
const main = 'ref: refs/heads/main\n';

/** Returns what a folder with these files was made from. */
function commitOf(files: Record<string, string>): string | undefined {
  const root = mkdtempSync(join(tmpdir(), 'tms-build-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return buildCommit(root);
}

test('a build is told by the commit that is checked out, or by what the build wrote down', () => {
  const shown = '111111111111';
  expect(commitOf({ '.git/HEAD': `${one}\n` })).toBe(shown);
  expect(commitOf({ '.git/HEAD': main, '.git/refs/heads/main': `${one}\n` })).toBe(shown);
  const packed = `# pack-refs with: peeled\n${two} refs/heads/not/refs/heads/main2\n${one} refs/heads/main\n`;
  expect(commitOf({ '.git/HEAD': main, '.git/packed-refs': packed })).toBe(shown);
  const worktree = { '.git': 'gitdir: other/worktrees/w\n', 'other/worktrees/w/HEAD': main };
  const commondir = { 'other/worktrees/w/commondir': '../..\n', 'other/refs/heads/main': one };
  expect(commitOf({ ...worktree, ...commondir })).toBe(shown);
  expect(commitOf({ 'build-commit': one, '.git/HEAD': two })).toBe(shown);
});

test('a folder that tells no commit has none, and is no failure', () => {
  expect(commitOf({})).toBeUndefined();
  expect(commitOf({ 'build-commit': 'unknown' })).toBeUndefined();
  for (const head of ['', main, 'ref: ../../etc/passwd', 'nonsense']) {
    expect(commitOf({ '.git/HEAD': head })).toBeUndefined();
  }
});
