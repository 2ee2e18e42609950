// Fails when proto/ breaks clients of the version before this change: the place where this branch left the default
// branch; on the default branch itself the last commit, or the one before it when nothing is changed since.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** Names of the default branch, the one that is shared first. */
const defaultBranches = ['origin/HEAD', 'origin/main', 'main'];

/** Git's answer without its line end, or undefined when git says no. */
function git(...args: string[]): string | undefined {
  const run = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return run.status === 0 ? run.stdout.trim() : undefined;
}

/** The commit to compare with, or why there is none. */
function findBaseline(): { commit: string } | { reason: string } {
  const head = git('rev-parse', '--verify', 'HEAD');
  if (head === undefined) return { reason: 'this is not a git checkout with a commit' };
  const base = defaultBranches.map((branch) => git('merge-base', 'HEAD', branch)).find(Boolean) ?? head;
  const unchanged = git('status', '--porcelain', '--', 'proto') === '';
  const commit = base === head && unchanged ? git('rev-parse', '--verify', 'HEAD~1') : base;
  if (commit === undefined) return { reason: 'there is no earlier commit in this checkout' };
  if (git('cat-file', '-e', `${commit}:proto/buf.yaml`) === undefined) {
    return { reason: `commit ${commit.slice(0, 12)} has no protos yet` };
  }
  return { commit };
}

const baseline = findBaseline();
if ('reason' in baseline) {
  process.stdout.write(`Protos not compared for breaking changes: ${baseline.reason}.\n`);
} else {
  process.stdout.write(`Comparing protos with commit ${baseline.commit.slice(0, 12)}.\n`);
  // The common directory: in a linked worktree `.git` is only a file.
  const repository = git('rev-parse', '--path-format=absolute', '--git-common-dir');
  const against = `${repository}#format=git,ref=${baseline.commit},subdir=proto`;
  const buf = join(root, 'node_modules', '.bin', 'buf');
  const run = spawnSync(buf, ['breaking', '--against', against], {
    cwd: join(root, 'proto'),
    stdio: 'inherit',
  });
  process.exitCode = run.status ?? 1;
}
