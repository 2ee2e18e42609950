import { basename } from 'node:path';
import { publicKeyOf } from '../../services/query/domain/passages/passage.ts';
import { readQuestion } from '../../services/query/domain/ranking/question.ts';
import { searchView } from '../../services/query/domain/views/search-view.ts';
import type { View } from '../../services/query/domain/views/view.ts';
import { switchOff } from './ablation-hooks.ts';
import { type Rule, rules } from './ablation-rules.ts';
import { type EvaluationQuery, readCollection } from './collection.ts';
import { answerIn } from './evaluate-in-process.ts';
import { type AskedQuestions, groupOf, readMemories } from './memories.ts';
import { today, viewOfDocuments, viewOfMemory } from './memory-view.ts';
import { itemsOf, type PushedDocuments } from './push-documents.ts';
import { rankingMetrics } from './ranking-metrics.ts';
import { type Half, isAnswerable, judge, type TeamMemory } from './team-memory.ts';

/** Passages of a collection that a ranking is made of. */
const passageLimit = 50;

const probes = rules.flatMap(({ probe }) => probe ?? []);

/** What is measured, in this process, with and without rules. */
export interface Measured {
  /** By half of a kind of notes, and by collection: the figures that the command prints. */
  figures(without?: Rule): Promise<Map<string, number[]>>;
  /** What is found and answered, question after question. */
  results(without?: Rule): AsyncGenerator<unknown>;
}

interface MeasuredCollection {
  name: string;
  pushed: PushedDocuments;
  queries: readonly EvaluationQuery[];
}

/** Reads memories and collections and indexes them. */
export async function measuring({
  collections,
  maxQuestions,
  ...asked
}: AskedQuestions & { collections: readonly string[]; maxQuestions: number }): Promise<Measured> {
  const memories = await readMemories(asked);
  const ofCollections: MeasuredCollection[] = [];
  for (const folder of collections) {
    const { documents, queries } = await readCollection(folder);
    const judged = queries.filter(({ relevant }) => relevant.size > 0);
    const step = Math.max(1, judged.length / maxQuestions);
    const spread = judged.filter((_, place) => Math.floor(place / step) !== Math.floor((place - 1) / step));
    ofCollections.push({ name: basename(folder), pushed: itemsOf(documents), queries: spread });
  }
  const views = new Map<unknown, View>();
  /** An index made anew is kept only while it is asked; most rules need none. */
  const viewOf = async (key: unknown, make: () => View | Promise<View>, without?: Rule) => {
    if (without?.isOfIndexing) return make();
    const view = views.get(key) ?? (await make());
    views.set(key, view);
    return view;
  };
  const columnOf = columnsOf(memories);
  const ofMemories = new Map<string, TeamMemory[]>(Map.groupBy(memories, ({ items }) => items));

  return {
    async figures(without) {
      const figures = new Map<string, number[]>();
      for (const [items, ofItems] of ofMemories) {
        const [first] = ofItems;
        if (first === undefined) continue;
        const view = await viewOf(items, () => viewOfMemory(first), without);
        for (const memory of ofItems) addMemory(figures, view, { memory, columnOf });
      }
      for (const collection of ofCollections) {
        const view = await viewOf(collection, () => viewOfDocuments(collection.pushed.items), without);
        figures.set(collection.name, [
          thousandths(collection.queries.map((query) => ndcgOf(view, query, collection))),
        ]);
      }
      for (const [column, values] of figures)
        if (values.length > 4) figures.set(column, [...values.slice(0, 4), thousandths(values.slice(4))]);
      return figures;
    },
    async *results(without) {
      for (const [items, ofItems] of ofMemories) {
        const [first] = ofItems;
        if (first === undefined) continue;
        const view = await viewOf(items, () => viewOfMemory(first), without);
        const questions = ofItems.flatMap((memory) => memory.questions.map(({ text }) => text));
        for (const question of [...probes, ...questions]) yield answerIn(view, question);
      }
    },
  };
}

/** Returns the names of the rules without which nothing is found or answered otherwise. */
export async function deadRules(measured: Measured, tried: readonly Rule[]): Promise<string[]> {
  const before = (await Array.fromAsync(measured.results())).map((result) => JSON.stringify(result));
  const dead: string[] = [];
  for (const rule of tried) {
    switchOff(rule);
    let place = 0;
    for await (const result of measured.results(rule)) {
      if (JSON.stringify(result) !== before[place]) break;
      place += 1;
    }
    if (place === before.length) dead.push(rule.name);
  }
  switchOff(undefined);
  return dead;
}

/** Returns what tells the column of a question: its kind of notes and half, with the numbers of questions in it. */
function columnsOf(memories: readonly TeamMemory[]): (memory: TeamMemory, half: Half) => string {
  const name = (memory: TeamMemory, half: Half) => `${groupOf(memory)}, ${half}`;
  const all = memories.flatMap((memory) =>
    memory.questions.map((question) => ({ column: name(memory, question.half), question })),
  );
  const titles = new Map<string, string>();
  for (const [column, asked] of Map.groupBy(all, (each) => each.column)) {
    const answerable = asked.filter(({ question }) => isAnswerable(question)).length;
    titles.set(column, `${column} (${answerable} + ${asked.length - answerable})`);
  }
  return (memory, half) => titles.get(name(memory, half)) ?? '';
}

function addMemory(
  figures: Map<string, number[]>,
  view: View,
  { memory, columnOf }: { memory: TeamMemory; columnOf: ReturnType<typeof columnsOf> },
): void {
  for (const question of memory.questions) {
    const column = columnOf(memory, question.half);
    const values = figures.get(column) ?? [0, 0, 0, 0];
    figures.set(column, values);
    const { text, sources, ranking } = answerIn(view, question.text);
    const verdict = judge(question, text, sources);
    const counted = isAnswerable(question)
      ? [verdict.contained, verdict.firstSource, verdict.sources.length === 0, false]
      : [false, false, false, verdict.refused];
    for (const [place, isSo] of counted.entries()) values[place] = (values[place] ?? 0) + Number(isSo);
    const relevant = new Map(question.sources.map((source) => [source, 1]));
    if (relevant.size > 0) values.push(rankingMetrics(ranking, relevant).ndcgAt10);
  }
}

function ndcgOf(view: View, { text, relevant }: EvaluationQuery, { pushed }: MeasuredCollection): number {
  const { passages } = searchView(
    view,
    readQuestion(text.toWellFormed().slice(0, 4_000), today),
    passageLimit,
  );
  const ids = passages.flatMap(({ passage }) => pushed.idOf(publicKeyOf(passage.rowKey)) ?? []);
  return rankingMetrics([...new Set(ids)], relevant).ndcgAt10;
}

function thousandths(values: readonly number[]): number {
  return Math.round((1_000 * values.reduce((sum, value) => sum + value, 0)) / Math.max(1, values.length));
}
