// `npm run test:separate`: runs the end-to-end tests against separate processes (two gateways, two content processes,
// one of each other part) on MongoDB and Redis, and the tests that are about just that; with `-- test/separate/` only
// these, as CI does: the rest takes longer than it may. Ends like `npm test`.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readTestReport } from './test-report.ts';

const root = join(import.meta.dirname, '..');
const project = 'separate';

/** What says nothing about separate processes, by reason. */
const left: Readonly<Record<string, readonly string[]>> = {
  'it reads files and starts nothing': ['architecture', 'docs', 'deploy', 'support/conformance'],
  'it is about the program in one process, its directory or its signals': [
    'durability',
    'embedding-faults',
    'embeddings',
    'first-start',
    'image-programs',
    'metrics',
    'observability',
    'redis-limits',
    'shutdown',
    'startup',
    'supervisor',
    'statuses',
  ],
};

/** Suites on SQLite are left out by name: separate processes have MongoDB. */
const notOnSqlite = '^(?!.* on SQLite)';

function main(wanted: readonly string[]): boolean {
  for (const [reason, files] of Object.entries(left)) {
    process.stdout.write(`left out, because ${reason}: ${files.join(', ')}\n`);
  }
  rmSync(join(root, '.test-results', `${project}.json`), { force: true });
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const report = `--outputFile.json=${join('.test-results', `${project}.json`)}`;
  const excluded = Object.values(left).flatMap((files) =>
    files.map((file) => `--exclude=test/${file}.test.ts`),
  );
  const options = ['-t', notOnSqlite, '--reporter=default', '--reporter=json', report, ...excluded];
  const run = spawnSync(process.execPath, [vitest, 'run', ...wanted, ...options], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_DEPLOYMENT: 'separate' },
  });
  const { passed, failed } = readTestReport(root, project);
  const failures = run.status === 0 ? failed : Math.max(failed, 1);
  process.stdout.write(`Separate processes: ${passed} passed, ${failures} failed\n`);
  return failures === 0 && passed > 0;
}

const files = process.argv.slice(2);
process.exitCode = main(files.length > 0 ? files : ['test/']) ? 0 : 1;
