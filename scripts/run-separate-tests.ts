// `npm run test:separate`: runs the end-to-end tests against separate processes (two gateways, two content processes,
// one of each other part) on MongoDB and Redis, and the tests that are about just that, in test/separate; with
// `-- <files>` only these. Ends like `npm test`.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readTestReport } from './test-report.ts';

const root = join(import.meta.dirname, '..');
const project = 'separate';

/** Files that say nothing about separate processes, by reason. `npm test` runs them. */
const left: Readonly<Record<string, readonly string[]>> = {
  'it reads files and starts nothing': [
    'architecture',
    'installation',
    'docs',
    'deploy',
    'support/openapi/conformance',
    'vulnerabilities',
    'vulnerabilities',
  ],
  'it measures what one process holds, or floods more than a machine with eight of them and a slow database bears':
    [
      'attacks/answer-markup',
      'attacks/decompression-bombs',
      'attacks/former-administrators',
      'attacks/former-administrators',
      'attacks/frame-floods',
      'attacks/half-open-http-peers',
      'attacks/heavy-json',
      'attacks/hidden-rows',
      'attacks/large-pushes',
      'attacks/many-agents',
      'attacks/many-erasures',
      'attacks/mcp-messages',
      'attacks/oidc-doors',
      'attacks/mcp-messages',
      'attacks/oidc-doors',
      'attacks/poison-markdown',
      'attacks/pushed-embeddings',
      'attacks/question-storm',
      'attacks/sign-in-doors',
      'attacks/sign-in-doors',
      'attacks/slow-bodies',
      'attacks/unique-words',
      'attacks/unread-pages',
      'walks',
    ],
  'its results do not depend on how many processes there are': [
    'attacks/empty-elements',
    'attacks/obeyed-files',
    'attacks/prepared-backup',
    'attacks/rollup-differencing',
    'dashboard/!(smoke)',
    'mcp-agent-loop',
    'mcp-clients',
    'mcp-conformance',
    'mcp-hostile-items',
    'packages',
    'sync/!(three-folders|watch)',
    'team-export',
  ],
  'it is about the program in one process, its directory or its signals': [
    'access-log',
    'attacks/prepared-data-directory',
    'compression',
    'durability',
    'embedding-faults',
    'embeddings',
    'first-start',
    'foreign-search-data',
    'full-disk',
    'image-programs',
    'injected-faults',
    'memory-restart',
    'metrics',
    'observability',
    'redis-limits',
    'backup',
    'shutdown',
    'startup',
    'supervisor',
    'statuses',
    'upgrade',
  ],
};

/** Suites on SQLite are left out by name: separate processes have MongoDB. */
const notOnSqlite = '^(?!.* on SQLite)';

/** Runs the files that begin like this; returns how many tests passed and failed. */
function run(
  wanted: readonly string[],
  excluded: readonly string[],
  options: readonly string[] = [],
): { passed: number; failed: number } {
  rmSync(join(root, '.test-results', `${project}.json`), { force: true });
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=.test-results/${project}.json`];
  const exclusions = excluded.map((file) => `--exclude=test/${file}.test.ts`);
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', ...wanted, '-t', notOnSqlite, ...report, ...exclusions, ...options],
    { cwd: root, stdio: 'inherit', env: { ...process.env, TEST_DEPLOYMENT: 'separate' } },
  );
  const { passed, failed } = readTestReport(root, project);
  return { passed, failed: status === 0 ? failed : Math.max(failed, 1) };
}

function main(files: readonly string[]): boolean {
  for (const [reason, names] of Object.entries(left)) {
    process.stdout.write(`left out, because ${reason}: ${names.join(', ')}\n`);
  }
  const excluded = Object.values(left).flat();
  const results =
    files.length > 0
      ? [run(files, excluded)]
      : [
          run(['test/'], [...excluded, 'separate/*']),
          // One after the other: they are about how long what is killed or hung is felt.
          run(['test/separate/'], [], ['--maxWorkers=1']),
        ];
  const sum = (count: 'passed' | 'failed') => results.reduce((total, result) => total + result[count], 0);
  process.stdout.write(`Separate processes: ${sum('passed')} passed, ${sum('failed')} failed\n`);
  return sum('failed') === 0 && sum('passed') > 0;
}

process.exitCode = main(process.argv.slice(2)) ? 0 : 1;
