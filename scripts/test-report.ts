import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What the tests of one package came to. */
export interface TestReport {
  /** Its folder, such as `services/content`. */
  project: string;
  passed: number;
  /** Failed tests, test files that could not be loaded, or 1 for a report that is missing. */
  failed: number;
  /** Skipped tests by the name of their suite, which gives the reason. */
  skipped: Map<string, number>;
  /** A line for each test that failed, and for each that passed at its second attempt: its name and why it failed. */
  lines: string[];
}

/** The part of vitest's JSON report that is used. */
interface VitestReport {
  testResults: {
    name: string;
    status: 'passed' | 'failed';
    assertionResults: TestResult[];
  }[];
}

interface TestResult {
  ancestorTitles: string[];
  title: string;
  status: string;
  /** What each failed attempt said, also where a later one passed. */
  failureMessages: string[];
}

/** Reads the report that a package's test run left; a package that left none has failed. */
export function readTestReport(root: string, project: string): TestReport {
  const report: TestReport = { project, passed: 0, failed: 0, skipped: new Map(), lines: [] };
  const file = join(root, '.test-results', `${project}.json`);
  if (!existsSync(file)) {
    process.stderr.write(`${project} has tests but left no report.\n`);
    return { ...report, failed: 1 };
  }
  const { testResults }: VitestReport = JSON.parse(readFileSync(file, 'utf8'));
  for (const testFile of testResults) {
    const failedBefore = report.failed;
    for (const test of testFile.assertionResults) {
      if (test.status === 'passed') report.passed += 1;
      else if (test.status === 'failed') report.failed += 1;
      else addSkipped(report, test.ancestorTitles.join(' > ') || test.title);
      addAttempts(report, relative(root, testFile.name), test);
    }
    // A file that fails before or around its tests, by a syntax error or in a hook, has no failed test to show.
    if (testFile.status === 'failed' && report.failed === failedBefore) report.failed += 1;
  }
  return report;
}

function addSkipped(report: TestReport, suite: string): void {
  report.skipped.set(suite, (report.skipped.get(suite) ?? 0) + 1);
}

function addAttempts(report: TestReport, file: string, test: TestResult): void {
  const [message] = test.failureMessages;
  if (message === undefined) return;
  const outcome = test.status === 'failed' ? 'failed' : 'passed at its second attempt';
  const name = [file, ...test.ancestorTitles, test.title].join(' > ');
  report.lines.push(`${outcome}: ${name}: ${message.split('\n', 1)[0]}`);
}

/** Prints what somebody has to look at after a run: tests that failed, and tests that passed at their second attempt. */
export function printAttempts(reports: readonly TestReport[]): void {
  for (const line of reports.flatMap(({ lines }) => lines)) process.stdout.write(`${line}\n`);
}
