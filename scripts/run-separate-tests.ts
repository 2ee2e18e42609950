// `npm run test:separate`: runs the end-to-end tests against separate processes (two gateways, two content processes,
// one of each other part) on MongoDB and Redis, and the tests that are about just that, in test/separate; with
// `-- <files>` only these. Ends like `npm test`.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { leftOutOfSeparateRun } from '../test/support/deployment/separate-test-files.ts';
import { printAttempts, readTestReport, type TestReport } from './test-report.ts';

const root = join(import.meta.dirname, '..');
const project = 'separate';

/** Suites on SQLite are left out by name: separate processes have MongoDB. */
const notOnSqlite = '^(?!.* on SQLite)';

/** Files of test/separate that kill and measure nothing. */
const besideOthers = ['callers', 'mutual-tls', 'pages', 'wrong-signing-key'];

/** Runs the files that begin like this; returns their report. */
function run(
  wanted: readonly string[],
  excluded: readonly string[],
  options: readonly string[] = [],
): TestReport {
  rmSync(join(root, '.test-results', `${project}.json`), { force: true });
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=.test-results/${project}.json`,
  ];
  const exclusions = excluded.map((file) => `--exclude=test/${file}.test.ts`);
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', ...wanted, '-t', notOnSqlite, ...reporters, ...exclusions, ...options],
    { cwd: root, stdio: 'inherit', env: { ...process.env, TEST_DEPLOYMENT: 'separate' } },
  );
  const report = readTestReport(root, project);
  return { ...report, failed: status === 0 ? report.failed : Math.max(report.failed, 1) };
}

function main(files: readonly string[]): boolean {
  for (const [reason, names] of Object.entries(leftOutOfSeparateRun)) {
    process.stdout.write(`left out, because ${reason}: ${names.join(', ')}\n`);
  }
  const excluded = Object.values(leftOutOfSeparateRun).flat();
  const results =
    files.length > 0
      ? [run(files, excluded)]
      : [
          run(['test/'], [...excluded, `separate/!(${besideOthers.join('|')})`]),
          // Two at a time: they kill or hang a process and mostly wait until the others notice.
          run(
            ['test/separate/'],
            besideOthers.map((name) => `separate/${name}`),
            ['--maxWorkers=2'],
          ),
        ];
  printAttempts(results);
  const sum = (count: 'passed' | 'failed') => results.reduce((total, result) => total + result[count], 0);
  process.stdout.write(`Separate processes: ${sum('passed')} passed, ${sum('failed')} failed\n`);
  return sum('failed') === 0 && sum('passed') > 0;
}

process.exitCode = main(process.argv.slice(2)) ? 0 : 1;
