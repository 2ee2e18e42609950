import { join, relative } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = import.meta.dirname;
const project = relative(root, process.cwd());
/** Set by `npm run test:separate`, the only run that has what test/separate needs. */
const partsAreSeparate = process.env.TEST_DEPLOYMENT === 'separate';
/** A limit for what hangs, not an expectation: two test processes, or many parts, share the two cores of a small machine. */
const testTimeoutMs = partsAreSeparate ? 90_000 : 20_000;

// Used by every package (`vitest run --config ../../vitest.config.ts`) and from the root, where it sees all tests.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/fixtures/**', ...(partsAreSeparate ? [] : ['**/test/separate/**'])],
    globalSetup: [join(root, 'test/servers/global-setup.ts')],
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs,
    // scripts/run-tests.ts sums these reports; a run at the root is somebody working, who needs none.
    reporters:
      project === ''
        ? ['default']
        : ['default', ['json', { outputFile: join(root, '.test-results', `${project}.json`) }]],
  },
});
