// `npm test`: runs the tests of every package (or of those named: `npm test -- content rpc`) and ends with one
// line, `N passed, N failed`. Packages whose files and dependencies are unchanged are answered from nx's cache.
// With TESTS_MUST_NOT_SKIP set, as in CI, a skipped test is a failed one.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { printAttempts, readTestReport, type TestReport } from './test-report.ts';
import { root, toolEnvironment } from './tools.ts';
import { testedPackages } from './workspace-packages.ts';

/** The longest by far: it runs beside all others, which run one after the other; each brings two workers. */
const endToEnd = '@teammemory/end-to-end';

/** Installs the MongoDB server for tests before anything needs it; returns its name, or the reason why there is none. */
function prepareMongodb(): string {
  const program = join(root, 'test', 'servers', 'mongodb.ts');
  const run = spawnSync(process.execPath, [program, '--prepare'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (run.status !== 0) throw new Error('the MongoDB server for the tests could not be prepared');
  const answer: { name: string } | { reason: string } = JSON.parse(run.stdout);
  return 'name' in answer ? answer.name : `skipped: ${answer.reason}`;
}

/** What the tests will find on the path; empty where there is no redis-server. */
function redisVersion(): string {
  return spawnSync('redis-server', ['--version'], { encoding: 'utf8' }).stdout ?? '';
}

/** Runs the tests of these packages one after the other. */
async function runTests(names: string[], mongodb: string): Promise<boolean> {
  if (names.length === 0) return true;
  const options = ['-p', names.join(','), '--parallel=1', '--outputStyle=static-failures-only'];
  const run = spawn('nx', ['run-many', '-t', 'test', ...options], {
    cwd: root,
    stdio: 'inherit',
    // The servers are part of what nx caches by: results without one are not shown once there is one.
    env: { ...toolEnvironment, TEST_MONGODB: mongodb, TEST_REDIS: redisVersion() },
  });
  const [code] = await once(run, 'exit');
  return code === 0;
}

function printSkipped(reports: TestReport[]): void {
  for (const report of reports) {
    for (const [suite, count] of report.skipped) {
      process.stdout.write(`skipped in ${report.project}: ${suite} (${count} tests)\n`);
    }
  }
}

function summarize(reports: TestReport[], nxSucceeded: boolean): { line: string; succeeded: boolean } {
  const sum = (count: (report: TestReport) => number) =>
    reports.reduce((total, report) => total + count(report), 0);
  const passed = sum((report) => report.passed);
  const skips = sum((report) => [...report.skipped.values()].reduce((total, count) => total + count, 0));
  const skipped = process.env.TESTS_MUST_NOT_SKIP ? 0 : skips;
  const failures = sum((report) => report.failed) + skips - skipped;
  // A test process can fail without a failed test: a crash, an error outside any test, a server that did not start.
  const failed = nxSucceeded ? failures : Math.max(failures, 1);
  const counts = [`${passed} passed`, `${failed} failed`, ...(skipped > 0 ? [`${skipped} skipped`] : [])];
  return { line: counts.join(', '), succeeded: failed === 0 && passed > 0 };
}

async function main(): Promise<boolean> {
  const packages = testedPackages(root, process.argv.slice(2));
  rmSync(join(root, '.test-results'), { recursive: true, force: true });
  const mongodb = prepareMongodb();
  const names = packages.map(({ name }) => name);
  const groups = [[endToEnd], names.filter((name) => name !== endToEnd)];
  const wanted = groups.map((group) => group.filter((name) => names.includes(name)));
  const succeeded = await Promise.all(wanted.map((group) => runTests(group, mongodb)));
  const nxSucceeded = succeeded.every(Boolean);
  const reports = packages.map(({ folder }) => readTestReport(root, folder));
  printSkipped(reports);
  printAttempts(reports);
  process.stdout.write(`The MongoDB half: ${mongodb}\n`);
  const summary = summarize(reports, nxSucceeded);
  process.stdout.write(`${summary.line}\n`);
  return summary.succeeded;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`The tests were not run: ${error instanceof Error ? error.message : error}.\n`);
  process.exitCode = 1;
}
