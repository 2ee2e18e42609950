// `npm run eval -- --memory [name …]`: gives each memory of test/eval/memory to a team of its own, asks the questions,
// and prints by kind whether answers contain what they must, have nothing wrong beside it, and refuse what nothing
// answers. `--half seen` or `kept` asks one half only. `--manuals <folder>` adds the memories that
// `python3 test/eval/make-manuals.py <folder>` made. `--answers <file>` writes every answer with its verdict, a JSON
// object a line. `--json` prints the figures as JSON. A service of its own is started.
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluateMemories } from './evaluate-memory.ts';
import { type MemoryFigures, memoryReport } from './memory-report.ts';
import { readMemory, type TeamMemory, type Verdict } from './team-memory.ts';

const memories = join(import.meta.dirname, 'memory');
/** Questions about the manuals, a file for each. */
const manualQuestions = join(memories, 'manuals');

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    memory: { type: 'boolean', default: false },
    half: { type: 'string' },
    manuals: { type: 'string' },
    answers: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
if (options.half !== undefined && options.half !== 'seen' && options.half !== 'kept')
  throw new Error('--half is seen or kept');

const notes = await readNotes();
const manuals = options.manuals === undefined ? [] : await readManuals(options.manuals);
const asked = [...notes, ...manuals].map(withAskedHalf).filter(isAsked);
const evaluated = await evaluateMemories(asked, (line) => process.stderr.write(`${line}\n`));
const isManual = new Set(manuals.map(({ name }) => name));
const groups = {
  notes: evaluated.filter(({ memory }) => !isManual.has(memory)).flatMap(({ verdicts }) => verdicts),
  manuals: evaluated.filter(({ memory }) => isManual.has(memory)).flatMap(({ verdicts }) => verdicts),
};
if (options.answers !== undefined) await writeFile(options.answers, linesOf(evaluated));
if (options.json) {
  const reports = { notes: memoryReport(groups.notes), manuals: memoryReport(groups.manuals) };
  process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`);
} else {
  for (const [group, verdicts] of Object.entries(groups)) if (verdicts.length > 0) print(group, verdicts);
}

async function readNotes(): Promise<TeamMemory[]> {
  const folders = (await readdir(memories, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && existsSync(join(memories, entry.name, 'items')))
    .map(({ name }) => name);
  return Promise.all(
    folders.map((name) =>
      readMemory(join(memories, name), { name, questionsFile: join(memories, name, 'questions.jsonl') }),
    ),
  );
}

async function readManuals(folder: string): Promise<TeamMemory[]> {
  const files = (await readdir(manualQuestions)).filter((file) => file.endsWith('.jsonl'));
  return Promise.all(
    files.map((file) => {
      const name = file.slice(0, -'.jsonl'.length);
      return readMemory(join(folder, name), { name, questionsFile: join(manualQuestions, file) });
    }),
  );
}

function withAskedHalf(memory: TeamMemory): TeamMemory {
  const questions = memory.questions.filter(({ half }) => (options.half ?? half) === half);
  return { ...memory, questions };
}

function isAsked({ name, questions }: TeamMemory): boolean {
  return (names.length === 0 || names.includes(name)) && questions.length > 0;
}

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
