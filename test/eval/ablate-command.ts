// `npm run eval -- --memory --ablate [name …]`: switches off each rule of test/eval/ablation-rules.ts in turn, within this
// process, and prints what changes: of each half the questions whose answer contains what it must, whose first source is
// right, and that are refused wrongly and rightly, then nDCG@10 of what search finds, in thousandths. `--manuals <folder>`
// asks those that `make-manuals.py` made, `--collections <folder>` each collection in a folder, `--questions <n>` at most n
// of each. `--rule <name>` tries that rule only, and may be given several times; `--together` switches all of these off at
// once. `--check` prints the names of rules that change nothing.
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeReplaceable, pathOf, switchOff } from './ablation-hooks.ts';
import { type Rule, rules } from './ablation-rules.ts';

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    memory: { type: 'boolean', default: false },
    ablate: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    manuals: { type: 'string' },
    collections: { type: 'string' },
    questions: { type: 'string', default: '200' },
    rule: { type: 'string', multiple: true },
    together: { type: 'boolean', default: false },
  },
});
makeReplaceable(rules);
// What is measured must be loaded after that.
const { deadRules, measuring } = await import('./ablation.ts');
const measured = await measuring({
  names,
  manuals: options.manuals,
  collections: await collectionFolders(options.collections),
  maxQuestions: Number(options.questions),
});
const named = rules.filter(({ name }) => options.rule === undefined || options.rule.includes(name));
const tried = options.together ? [together(named)] : named;
if (options.check) {
  process.stdout.write(
    `${JSON.stringify({ tried: tried.length, dead: await deadRules(measured, tried) })}\n`,
  );
} else {
  const before = await measured.figures();
  const columns = [...before.keys()];
  printRow('rule', 'lines', columns);
  printRow(
    'as it is',
    '',
    columns.map((column) => before.get(column)?.join(' ') ?? ''),
  );
  for (const rule of tried) {
    switchOff(rule);
    const without = await measured.figures(rule);
    switchOff(undefined);
    printRow(
      rule.name,
      String(linesOf(rule)),
      columns.map((column) => changes(before.get(column) ?? [], without.get(column) ?? [])),
    );
  }
}

/** Several rules as one. */
function together(all: readonly Rule[]): Rule {
  return {
    name: all.map(({ name }) => name).join(', '),
    replaced: all.flatMap(({ replaced }) => replaced),
    files: [...new Set(all.flatMap(({ files = [] }) => files))],
    isOfIndexing: all.some(({ isOfIndexing }) => isOfIndexing),
  };
}

async function collectionFolders(folder: string | undefined): Promise<string[]> {
  if (folder === undefined) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => !entry.isFile()).map(({ name }) => join(folder, name));
}

function printRow(name: string, lines: string, cells: readonly string[]): void {
  process.stdout.write(`| ${[name, lines, ...cells].join(' | ')} |\n`);
  if (name === 'rule') process.stdout.write(`|${'---|'.repeat(cells.length + 2)}\n`);
}

function changes(before: readonly number[], without: readonly number[]): string {
  const differences = before.map((value, place) => (without[place] ?? 0) - value);
  if (differences.every((difference) => difference === 0)) return '';
  return differences.map((difference) => (difference > 0 ? `+${difference}` : `${difference}`)).join(' ');
}

/** Lines that would go with a rule. */
function linesOf({ files, replaced }: Rule): number {
  if (files !== undefined)
    return files.reduce((sum, file) => sum + readFileSync(pathOf(file), 'utf8').split('\n').length - 1, 0);
  const lengths = replaced.flatMap(({ module, exports }) => {
    const text = readFileSync(pathOf(module), 'utf8');
    return Object.keys(exports).map((name) => {
      const body = new RegExp(`^export (?:function\\*?|const) ${name}\\b.*?^}`, 'ms').exec(text)?.[0] ?? '';
      return body.split('\n').length;
    });
  });
  return lengths.reduce((sum, length) => sum + length, 0);
}
