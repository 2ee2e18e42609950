// `npm run test:bundle`: runs the end-to-end tests against the package team-memory-service instead of the sources, with this
// Node; TEST_NODE names another program of Node. `-- <files>` runs only these.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { run } from './packages/run.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'dist', 'packages');
/** Files that say nothing about the package, by reason. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  'it is about the sources, and starts no service': [
    'architecture',
    'bench/*',
    'chart-options',
    'dashboard/texts',
    'deploy',
    'docs',
    'eval/*',
    'image-programs',
    'installation',
    'release',
    'store-methods',
    'vulnerabilities',
  ],
  'it names modules of the sources': ['walks'],
  'it starts programs of its own from the sources': ['separate/*', 'upgrade'],
  'it builds the packages itself': ['executable', 'first-command', 'packages'],
};
for (const [reason, files] of Object.entries(leftOut))
  process.stdout.write(`Left out, because ${reason}: ${files.join(', ')}\n`);

await run(process.execPath, [join(root, 'scripts', 'build-packages.ts'), target], root);
const wanted = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...(wanted.length > 0 ? wanted : ['test/']),
    ...Object.values(leftOut)
      .flat()
      .map((file) => `--exclude=test/${file}.test.ts`),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_PROGRAM: join(target, 'service', 'bin', 'team-memory-service.js') },
  },
);
process.exitCode = status ?? 1;
