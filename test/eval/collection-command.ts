// `npm run eval -- --set <folder>`: pushes a collection into a service through its public interface, asks every
// question, and measures ranking, answers, refusals and delay, with a Lucene-like BM25 beside them. The table or, with
// --json, the figures go to standard output, progress to standard error. `--off <folder>` asks the questions of
// another collection too, as questions that nothing answers; `--questions <n>` asks n of each, evenly spread. A service
// of its own is started, unless --url, --rpc-url, --key and --team name one.
import { parseArgs } from 'node:util';
import { type Collection, type EvaluationQuery, readCollection } from './collection.ts';
import { type Evaluation, evaluate } from './evaluate.ts';
import { connectEvaluatedService, startEvaluatedService } from './evaluated-service.ts';
import { itemsOf, pushItems } from './push-documents.ts';
import type { RankingMetrics } from './ranking-metrics.ts';

const maxQuestionCharacters = 4_000;
const text = { type: 'string' } as const;
const { values: options } = parseArgs({
  options: {
    set: text,
    off: text,
    questions: text,
    json: { type: 'boolean', default: false },
    url: text,
    'rpc-url': text,
    key: text,
    team: text,
  },
});
if (options.set === undefined) throw new Error('--set <folder> says which collection');
const maxQuestions = Number(options.questions ?? Number.POSITIVE_INFINITY);
if (!(maxQuestions >= 1)) throw new Error('--questions <n> says how many, 1 or more');
const collection = await readAll(options.set, options.off, maxQuestions);
warnOfMissingDocuments(collection);
const service = await open();
try {
  const { items, idOf } = itemsOf(collection.documents);
  await pushItems(service.api, items, (pushed) => progress(`pushed ${pushed} of ${items.length} items`));
  await service.embedded();
  const all = collection.queries.length;
  const figures = await evaluate(service, collection, {
    idOf,
    progress: (asked) => progress(`asked ${asked} of ${all} questions`),
  });
  process.stderr.write('\n');
  if (options.json) process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  else print(figures);
} finally {
  await service.close();
}

async function readAll(folder: string, offFolder: string | undefined, most: number): Promise<Collection> {
  const { documents, queries } = await readCollection(folder);
  const off = offFolder === undefined ? [] : (await readCollection(offFolder)).queries;
  const unanswerable = off.map((query) => ({ ...query, answers: [], relevant: new Map<string, number>() }));
  return { documents, queries: [...spread(queries, most), ...spread(unanswerable, most)].map(askable) };
}

/** They count as never found, so that a folder whose ids do not fit together measures as 0. */
function warnOfMissingDocuments({ documents, queries }: Collection): void {
  const known = new Set(documents.map(({ id }) => id));
  const judged = new Set(queries.flatMap(({ relevant }) => [...relevant.keys()]));
  const missing = judged.difference(known).size;
  if (missing > 0)
    process.stderr.write(`${missing} of ${judged.size} relevant documents are not in docs.jsonl\n`);
}

/** A question as the service takes it: well-formed, 1 to 4,000 characters. */
function askable(query: EvaluationQuery): EvaluationQuery {
  const characters = [...query.text.toWellFormed()];
  return { ...query, text: characters.slice(0, maxQuestionCharacters).join('') || '?' };
}

/** At most so many, from all over the list. */
function spread<Value>(values: readonly Value[], most: number): Value[] {
  const step = Math.max(1, values.length / most);
  return Array.from(
    { length: Math.min(Math.floor(most), values.length) },
    (_, index) => values[Math.floor(index * step)] as Value,
  );
}

async function open() {
  const { url, 'rpc-url': rpcUrl, key, team } = options;
  if (url === undefined) return startEvaluatedService(process.env);
  if (!rpcUrl || !key || !team) throw new Error('--url needs --rpc-url, --key and --team beside it');
  return connectEvaluatedService({ url, rpcUrl, key, team });
}

function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${line} `);
}

function print(figures: Evaluation): void {
  const { ranking, answers, firstDeltaMs } = figures;
  console.log(`${figures.documents} documents, ${figures.questions} questions`);
  if (ranking) {
    const rounded = (metrics: RankingMetrics) =>
      Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, value.toFixed(4)]));
    console.table({ service: rounded(ranking.service), 'Lucene-like BM25': rounded(ranking.luceneBm25) });
  }
  if (answers) {
    const { goldInAnswer, rightFirstSource, both, characters } = answers;
    console.log(
      `gold in answer ${shown(goldInAnswer)}, right first source ${shown(rightFirstSource)}, both ${shown(both)}, ` +
        `${Math.round(characters)} characters an answer`,
    );
  }
  const refused = [
    `rightly refused, or said what is missing ${shown(figures.rightlyRefused)}`,
    `wrongly refused ${shown(figures.wronglyRefused)}`,
    `said that a word is missing where there is an answer ${shown(figures.saidMissing)}`,
  ];
  console.log(refused.join(', '));
  const milliseconds = Object.entries(firstDeltaMs).map(
    ([name, value]) => `${name} ${Number.isNaN(value) ? '-' : value.toFixed(1)} ms`,
  );
  console.log(`question to first delta: ${milliseconds.join(', ')}`);
}

function shown(share: number | undefined): string {
  return share === undefined ? '-' : share.toFixed(3);
}
