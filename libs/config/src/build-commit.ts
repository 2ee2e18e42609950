import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const commitForm = /^[0-9a-f]{40,64}$/;
/** As many digits as tell the commits of a large repository apart. */
const shownDigits = 12;

/**
 * Returns the first digits of the commit that a folder was made from: what the file `build-commit` says, which a build without
 * `.git` writes, else the commit that is checked out. Undefined if neither tells. Never needs the program git.
 */
export function buildCommit(root: string): string | undefined {
  const commit = textOf(join(root, 'build-commit')) ?? checkedOut(root);
  return commit !== undefined && commitForm.test(commit) ? commit.slice(0, shownDigits) : undefined;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function checkedOut(root: string): string | undefined {
  // In a worktree `.git` is a file that names the folder, and branches are in the one that `commondir` names.
  const elsewhere = /^gitdir: (.+)$/.exec(textOf(join(root, '.git')) ?? '')?.[1];
  const git = elsewhere === undefined ? join(root, '.git') : resolve(root, elsewhere);
  const head = textOf(join(git, 'HEAD'));
  const ref = /^ref: (refs\/[^\s]+)$/.exec(head ?? '')?.[1];
  if (ref === undefined) return head;
  const common = resolve(git, textOf(join(git, 'commondir')) ?? '.');
  return textOf(join(common, ref)) ?? packedCommit(textOf(join(common, 'packed-refs')) ?? '', ref);
}

function packedCommit(packed: string, ref: string): string | undefined {
  return packed
    .split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(' ')[0];
}
