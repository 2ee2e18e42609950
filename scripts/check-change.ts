// `npm run check`: what somebody who changed something runs before they commit: lint, the types of what the change
// touches and of what depends on it, the tests beside the code that import a changed file, and one start of the
// service from nothing. `npm run check -- <commit>` names what the change is compared with, else where this branch left
// origin/main or main. End-to-end tests run the service as a program, so nothing tells which of them a change touches:
// `npm test` runs them all.
import { spawnSync } from 'node:child_process';
import { root, toolEnvironment } from './tools.ts';

/** Runs a command; the check ends with its exit code where it fails. */
function step(command: string, args: readonly string[]): void {
  process.stdout.write(`\n== ${[command, ...args].join(' ')}\n`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: toolEnvironment });
  if (status !== 0) process.exit(status ?? 1);
}

/** The commit that the change is compared with. */
function baseOfChange(): string {
  const [named] = process.argv.slice(2);
  if (named !== undefined) return named;
  for (const branch of ['origin/main', 'main', 'HEAD']) {
    const found = spawnSync('git', ['merge-base', 'HEAD', branch], { cwd: root, encoding: 'utf8' });
    if (found.status === 0) return found.stdout.trim();
  }
  throw new Error(
    'This is no git checkout: name nothing, and run `npm run lint`, `npm run typecheck` and `npm test`.',
  );
}

const base = baseOfChange();
step('biome', ['check', '.']);
step('tsc', ['--noEmit']);
step('nx', ['affected', '-t', 'typecheck', '--base', base, '--outputStyle=static-failures-only']);
step('vitest', ['run', '--changed', base, '--passWithNoTests', '--exclude', 'test/**']);
step('vitest', ['run', 'test/architecture.test.ts', 'test/first-start.test.ts']);
