// `node scripts/slowest-tests.ts`: prints the 20 slowest test files of the last run in seconds, from .test-results.
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const listed = 20;

/** The part of vitest's JSON report that is used. */
interface VitestReport {
  testResults: { name: string; startTime: number; endTime: number }[];
}

const files = globSync('.test-results/**/*.json', { cwd: root })
  .flatMap((report) => (JSON.parse(readFileSync(join(root, report), 'utf8')) as VitestReport).testResults)
  .map(({ name, startTime, endTime }) => ({
    name: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }))
  .toSorted((left, right) => right.seconds - left.seconds);
for (const { name, seconds } of files.slice(0, listed)) {
  process.stdout.write(`${seconds.toFixed(1).padStart(7)}  ${name}\n`);
}
