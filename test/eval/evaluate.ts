import type { Collection, EvaluationQuery } from './collection.ts';
import type { EvaluatedService } from './evaluated-service.ts';
import { goldInAnswer } from './gold-in-answer.ts';
import { luceneBm25 } from './lucene-bm25.ts';
import type { PushedDocuments } from './push-documents.ts';
import { type RankingMetrics, rankingMetrics } from './ranking-metrics.ts';

/** Documents that a ranking is looked at to. */
const depth = 100;
/** Passages asked for at first, and where they are of fewer than 100 documents. */
const passageLimits = [300, 1_000];

/** Means over the questions; shares are 0 to 1, undefined where there was nothing to measure. */
export interface Evaluation {
  documents: number;
  questions: number;
  /** Over the questions with relevant documents. */
  ranking: { service: RankingMetrics; luceneBm25: RankingMetrics } | undefined;
  /** Over the questions with gold answers, from the answer that is streamed. */
  answers: { goldInAnswer: number; rightFirstSource: number; both: number; characters: number } | undefined;
  /** Relevant documents, yet nothing found. */
  wronglyRefused: number | undefined;
  /** No relevant documents, and nothing found, or said which word of the question no note mentions. */
  rightlyRefused: number | undefined;
  /** Relevant documents found, yet said that no note mentions a word of the question. */
  saidMissing: number | undefined;
  /** From the question to the first text of its answer, in milliseconds. */
  firstDeltaMs: { first: number; p50: number; p95: number };
}

interface Outcome {
  query: EvaluationQuery;
  refused: boolean;
  /** It says of a word of the question that no note mentions it. */
  saysMissing: boolean;
  gold: boolean;
  firstSource: boolean;
  characters: number;
  firstDeltaMs: number;
}

/** Asks every question of a collection that was pushed, one after the other. */
export async function evaluate(
  service: EvaluatedService,
  { documents, queries }: Collection,
  options: { idOf: PushedDocuments['idOf']; progress: (asked: number) => void },
): Promise<Evaluation> {
  const reference = luceneBm25(documents);
  const outcomes: Outcome[] = [];
  const rankings: { service: RankingMetrics; luceneBm25: RankingMetrics }[] = [];
  for (const [index, query] of queries.entries()) {
    outcomes.push(await askedOf(service, query, options.idOf));
    if (query.relevant.size > 0) {
      rankings.push({
        service: rankingMetrics(await rankingBy(service, query.text, options.idOf), query.relevant),
        luceneBm25: rankingMetrics(reference(query.text, depth), query.relevant),
      });
    }
    options.progress(index + 1);
  }
  return { documents: documents.length, questions: queries.length, ...summary(outcomes, rankings) };
}

/** Ids of documents by their best passage. */
async function rankingBy(
  service: EvaluatedService,
  question: string,
  idOf: PushedDocuments['idOf'],
): Promise<string[]> {
  let ids: string[] = [];
  for (const limit of passageLimits) {
    const passages = await service.search(question, limit);
    ids = [...new Set(passages.flatMap(({ rowKey }) => idOf(rowKey) ?? []))];
    if (ids.length >= depth || passages.length < limit) break;
  }
  return ids.slice(0, depth);
}

async function askedOf(
  service: EvaluatedService,
  query: EvaluationQuery,
  idOf: PushedDocuments['idOf'],
): Promise<Outcome> {
  const asked = performance.now();
  let firstDeltaMs = Number.NaN;
  let text = '';
  let sources: string[] = [];
  for await (const event of service.api.ask(query.text)) {
    if (event.type === 'sources') sources = event.sources.map(({ row_key }) => row_key);
    else {
      if (text === '') firstDeltaMs = performance.now() - asked;
      text += event.text;
    }
  }
  return {
    query,
    refused: sources.length === 0,
    saysMissing: sources.length > 0 && /^No note (?:about this )?mentions /.test(text),
    gold: goldInAnswer(text, query.answers),
    firstSource: query.relevant.has(idOf(sources[0] ?? '') ?? ''),
    characters: text.length,
    firstDeltaMs,
  };
}

function summary(
  outcomes: readonly Outcome[],
  rankings: readonly { service: RankingMetrics; luceneBm25: RankingMetrics }[],
): Omit<Evaluation, 'documents' | 'questions'> {
  const withGold = outcomes.filter(({ query }) => query.answers.length > 0 && query.relevant.size > 0);
  const delays = outcomes.map(({ firstDeltaMs }) => firstDeltaMs);
  const warm = delays.slice(1).sort((left, right) => left - right);
  return {
    ranking:
      rankings.length === 0
        ? undefined
        : {
            service: meanMetrics(rankings.map(({ service }) => service)),
            luceneBm25: meanMetrics(rankings.map(({ luceneBm25: lucene }) => lucene)),
          },
    answers:
      withGold.length === 0
        ? undefined
        : {
            goldInAnswer: share(withGold, ({ gold }) => gold) ?? 0,
            rightFirstSource: share(withGold, ({ firstSource }) => firstSource) ?? 0,
            both: share(withGold, ({ gold, firstSource }) => gold && firstSource) ?? 0,
            characters: mean(withGold.map(({ characters }) => characters)),
          },
    wronglyRefused: share(
      outcomes.filter(({ query }) => query.relevant.size > 0),
      ({ refused }) => refused,
    ),
    rightlyRefused: share(
      outcomes.filter(({ query }) => query.relevant.size === 0),
      ({ refused, saysMissing }) => refused || saysMissing,
    ),
    saidMissing: share(
      outcomes.filter(({ query }) => query.relevant.size > 0),
      ({ saysMissing }) => saysMissing,
    ),
    firstDeltaMs: { first: delays[0] ?? Number.NaN, p50: percentile(warm, 0.5), p95: percentile(warm, 0.95) },
  };
}

function meanMetrics(metrics: readonly RankingMetrics[]): RankingMetrics {
  const of = (name: keyof RankingMetrics) => mean(metrics.map((each) => each[name]));
  return {
    ndcgAt10: of('ndcgAt10'),
    recallAt10: of('recallAt10'),
    recallAt100: of('recallAt100'),
    mrrAt10: of('mrrAt10'),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The share of values that are so; undefined where there are none. */
export function share<Value>(values: readonly Value[], is: (value: Value) => boolean): number | undefined {
  return values.length === 0 ? undefined : values.filter(is).length / values.length;
}

/** The value that this share of the ascending values does not exceed (nearest rank). */
function percentile(ascending: readonly number[], part: number): number {
  return ascending[Math.max(0, Math.ceil(part * ascending.length) - 1)] ?? Number.NaN;
}
