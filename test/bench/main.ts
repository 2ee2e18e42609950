// `npm run bench`: how much of what the machine can do is left to the service, as ratios within one run, printed as a
// table and written to bench-results.json after each part. A part that fails is named at the end, and the exit code is 1; the others go on. Options: --quick (smaller and shorter), --json (the JSON on standard output),
// --only <part> (one of the parts below; may be repeated).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startChildProgram } from './child-program.ts';
import { measureDurablePush } from './durable-push.ts';
import { measureFairness } from './fairness.ts';
import { measureFirstPages, measurePagesAfterPush } from './fresh-pages.ts';
import { measureIndexBuild } from './index-build.ts';
import type { Load, LoadResult } from './load-generator.ts';
import { measureManyAgents } from './many-agents.ts';
import { measureManyTeams } from './many-teams.ts';
import { type BenchContext, goalIsMet, type Measurement } from './measurement.ts';
import { measureOpenStreams } from './open-streams.ts';
import { measurePageCost } from './page-cost.ts';
import { measurePageOverHttp2 } from './page-over-http2.ts';
import { measurePageThroughput } from './page-throughput.ts';
import { printTables } from './print-tables.ts';
import { measureQuestionDelay } from './question-delay.ts';
import { measureSeparateProcesses } from './separate-processes.ts';
import { measureToolCalls } from './tool-calls.ts';

const resultFile = join(import.meta.dirname, '..', '..', 'bench-results.json');

/** What can be measured, in this order. */
const parts: Record<string, (context: BenchContext) => Promise<Measurement | Measurement[]>> = {
  page: measurePageThroughput,
  push: (context) => measureDurablePush(context, 1),
  pushes: (context) => measureDurablePush(context, 8),
  'page-cost': measurePageCost,
  'pages-after-push': measurePagesAfterPush,
  'page-over-http2': measurePageOverHttp2,
  'first-pages': measureFirstPages,
  'separate-processes': measureSeparateProcesses,
  question: measureQuestionDelay,
  index: measureIndexBuild,
  streams: measureOpenStreams,
  fairness: measureFairness,
  'tool-calls': measureToolCalls,
  agents: measureManyAgents,
  'many-teams': measureManyTeams,
};

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: Object.keys(parts) },
  },
});
const unknown = options.only.find((name) => !(name in parts));
if (unknown !== undefined) throw new Error(`--only ${unknown}: one of ${Object.keys(parts).join(', ')}`);
const generator = startChildProgram('load-generator.ts');
const context: BenchContext = {
  quick: options.quick,
  load: async (work: Load) => (await generator.ask(work)) as LoadResult,
};
const measurements: Measurement[] = [];
const failed: string[] = [];

function resultsAsJson(): string {
  const results = measurements.map((measurement) => ({ ...measurement, met: goalIsMet(measurement) }));
  return `${JSON.stringify({ node: process.version, quick: options.quick, failed, results }, null, 2)}\n`;
}

try {
  for (const [name, measure] of Object.entries(parts)) {
    if (!options.only.includes(name)) continue;
    try {
      measurements.push(...[await measure(context)].flat());
    } catch (error) {
      failed.push(name);
      console.error(`${name} failed:`, error);
    }
    writeFileSync(resultFile, resultsAsJson());
  }
  if (options.json) process.stdout.write(resultsAsJson());
  else printTables(measurements);
} finally {
  generator.end();
}
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
