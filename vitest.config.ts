import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;
const project = relative(root, process.cwd());
/** Set by `npm run test:separate`, the only run that has what test/separate needs. */
const partsAreSeparate = process.env.TEST_DEPLOYMENT === 'separate';
const isEndToEnd = partsAreSeparate || project === 'test';
/** A limit for what hangs, not an expectation: two test processes, or many parts, share the two cores of a small machine. */
const testTimeoutMs = partsAreSeparate ? 90_000 : 60_000;
/** Longer than a hook waits for a program to start, so that this says what it waited for. */
const hookTimeoutMs = 120_000;

const mongoLibrary = '@teammemory/mongo';

/** Stores are tested by that library, packages that depend on it, and in `test`; for the others no server is started. */
function wantsMongodb(): boolean {
  if (project === '' || project === 'test') return true;
  const { name, dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
  return name === mongoLibrary || mongoLibrary in dependencies;
}

// Used by every package (`vitest run --config ../../vitest.config.ts`) and from the root, where it sees all tests.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    // The globs are relative to where vitest runs: in the package or at the root.
    exclude: [
      '**/node_modules/**',
      '**/dist/**',
      '**/fixtures/**',
      // `npm run test:cluster` has a configuration of its own.
      ...['test/cluster/**', ...(project === 'test' ? ['cluster/**'] : [])],
      ...(partsAreSeparate ? [] : ['test/separate/**', ...(project === 'test' ? ['separate/**'] : [])]),
    ],
    globalSetup: wantsMongodb() ? [join(root, 'test/servers/global-setup.ts')] : [],
    testTimeout: testTimeoutMs,
    hookTimeout: hookTimeoutMs,
    // CI's machines are shared. A test that needed its second attempt is named at the end of the run: a fault to mend.
    retry: process.env.TESTS_MUST_NOT_SKIP ? 1 : 0,
    // A process for each file takes longer than what most of these packages test.
    isolate: wantsMongodb(),
    // On two cores it would be one. What is tested end to end are programs that a test mostly waits for.
    maxWorkers: Math.max(isEndToEnd ? 3 : 2, availableParallelism() - 1),
    // scripts/run-tests.ts sums these reports; a run at the root is somebody working, who needs none.
    reporters:
      project === ''
        ? ['default']
        : ['default', ['json', { outputFile: join(root, '.test-results', `${project}.json`) }]],
  },
});
