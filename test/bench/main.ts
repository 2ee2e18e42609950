// `npm run bench`: how much of what the machine can do is left to the service, as ratios within one run, printed as a
// table and written to bench-results.json. Options: --quick (smaller and shorter), --json (the JSON on standard output).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startChildProgram } from './child-program.ts';
import { measureDurablePush } from './durable-push.ts';
import type { Load, LoadResult } from './load-generator.ts';
import { type BenchContext, goalIsMet } from './measurement.ts';
import { measureOpenStreams } from './open-streams.ts';
import { measurePageCost } from './page-cost.ts';
import { measurePageOverHttp2 } from './page-over-http2.ts';
import { measurePageThroughput } from './page-throughput.ts';
import { printTables } from './print-tables.ts';
import { measureQuestionDelay } from './question-delay.ts';
import { measureSeparateProcesses } from './separate-processes.ts';

const resultFile = join(import.meta.dirname, '..', '..', 'bench-results.json');

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
const generator = startChildProgram('load-generator.ts');
const context: BenchContext = {
  quick: options.quick,
  load: async (work: Load) => (await generator.ask(work)) as LoadResult,
};
try {
  const measurements = [
    await measurePageThroughput(context),
    await measureDurablePush(context, 1),
    await measureDurablePush(context, 8),
    await measurePageCost(context),
    ...(await measurePageOverHttp2(context)),
    ...(await measureSeparateProcesses(context)),
    ...(await measureQuestionDelay(context)),
    ...(await measureOpenStreams(context)),
  ];
  const results = measurements.map((measurement) => ({ ...measurement, met: goalIsMet(measurement) }));
  const json = `${JSON.stringify({ node: process.version, quick: options.quick, results }, null, 2)}\n`;
  writeFileSync(resultFile, json);
  if (options.json) process.stdout.write(json);
  else printTables(measurements);
} finally {
  generator.end();
}
