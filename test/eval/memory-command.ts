// `npm run eval -- --memory [name …]`: gives each memory of test/eval/memory to a team of its own, asks the questions,
// and prints by kind whether answers contain what they must, have nothing wrong beside it, and refuse what nothing
// answers. `--half seen` or `kept` asks one half only. `--in-process` asks the domain of the query service without a
// service, in a tenth of the time; `--baseline` asks the least that an answer has to beat. `--manuals <folder>` adds the memories that
// `python3 test/eval/make-manuals.py <folder>` made. `--answers <file>` writes every answer with its verdict, a JSON
// object a line. `--json` prints the figures as JSON. A service of its own is started.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { evaluateInProcess } from './evaluate-in-process.ts';
import { evaluateMemories } from './evaluate-memory.ts';
import { groupByAge, readMemories } from './memories.ts';
import { type MemoryFigures, memoryReport } from './memory-report.ts';
import type { Verdict } from './team-memory.ts';

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    memory: { type: 'boolean', default: false },
    half: { type: 'string' },
    manuals: { type: 'string' },
    answers: { type: 'string' },
    'in-process': { type: 'boolean', default: false },
    baseline: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
if (options.half !== undefined && options.half !== 'seen' && options.half !== 'kept')
  throw new Error('--half is seen or kept');

const asked = await readMemories({ names, half: options.half, manuals: options.manuals });
const evaluated =
  options['in-process'] || options.baseline
    ? await evaluateInProcess(asked, options.baseline ? 'baseline' : 'service')
    : await evaluateMemories(asked, (line) => process.stderr.write(`${line}\n`));
const groups = Map.groupBy(evaluated, ({ memory }) => {
  const found = asked.find(({ name }) => name === memory);
  return found === undefined ? memory : groupByAge(found);
});
const verdictsOf = new Map(
  [...groups].map(([group, all]) => [group, all.flatMap(({ verdicts }) => verdicts)]),
);
if (options.answers !== undefined) await writeFile(options.answers, linesOf(evaluated));
if (options.json) {
  const reports = [...verdictsOf].map(([group, verdicts]) => [group, memoryReport(verdicts)]);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(reports), null, 2)}\n`);
} else for (const [group, verdicts] of verdictsOf) print(group, verdicts);

function linesOf(results: readonly { memory: string; verdicts: readonly Verdict[] }[]): string {
  return results
    .flatMap(({ memory, verdicts }) =>
      verdicts.map(({ question: { id, kind, half, text }, ...verdict }) =>
        JSON.stringify({ memory, id, kind, half, question: text, ...verdict }),
      ),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function print(group: string, verdicts: readonly Verdict[]): void {
  for (const [half, kinds] of Object.entries(memoryReport(verdicts))) {
    if (kinds.all?.questions === 0) continue;
    console.log(`${group}, ${half} half`);
    console.table(Object.fromEntries(Object.entries(kinds).map(([kind, figures]) => [kind, shown(figures)])));
  }
}

function shown(figures: MemoryFigures): Record<string, string | number> {
  const { questions, medianLength = '-', ...shares } = figures;
  const rounded = Object.entries(shares).map(([name, value]) => [name, value?.toFixed(2) ?? '-']);
  return { questions, ...Object.fromEntries(rounded), medianLength };
}
