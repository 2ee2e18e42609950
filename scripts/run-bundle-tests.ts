// `npm run test:bundle`: runs the end-to-end tests against the package team-memory-service instead of the sources, with this
// Node; TEST_NODE names another program of Node. `-- <files>` runs only these.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { run } from './packages/run.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'dist', 'packages');
/** They start parts, or are about the sources. */
const leftOut = [
  'separate/*',
  'eval/*',
  'bench/*',
  'architecture',
  'deploy',
  'docs',
  'executable',
  'packages',
  'release',
  'upgrade',
];

await run(process.execPath, [join(root, 'scripts', 'build-packages.ts'), target], root);
const wanted = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...(wanted.length > 0 ? wanted : ['test/']),
    ...leftOut.map((file) => `--exclude=test/${file}.test.ts`),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_PROGRAM: join(target, 'service', 'bin', 'team-memory-service.js') },
  },
);
process.exitCode = status ?? 1;
