import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface EvaluationDocument {
  id: string;
  /** Empty where the collection has none. */
  title: string;
  text: string;
}

export interface EvaluationQuery {
  id: string;
  text: string;
  /** Strings of which one should be in the answer; empty where the collection has none. */
  answers: readonly string[];
  /** Documents that answer it, by id, and how well, above 0; empty for a question that nothing answers. */
  relevant: ReadonlyMap<string, number>;
}

export interface Collection {
  documents: readonly EvaluationDocument[];
  queries: readonly EvaluationQuery[];
}

/**
 * Reads `docs.jsonl` (id, title?, text), `queries.jsonl` (id, text, answers?)
 * and `qrels.tsv` (query, document, relevance, between tabs) of a folder.
 * @throws Error that names file and line for what is not of this form.
 */
export async function readCollection(folder: string): Promise<Collection> {
  const documents = await readJsonLines(join(folder, 'docs.jsonl'), (row) => ({
    id: textOf(row, 'id'),
    title: row.title === undefined || row.title === null ? '' : textOf(row, 'title'),
    text: textOf(row, 'text'),
  }));
  const relevant = await readJudgements(join(folder, 'qrels.tsv'));
  const queries = await readJsonLines(join(folder, 'queries.jsonl'), (row) => ({
    id: textOf(row, 'id'),
    text: textOf(row, 'text'),
    answers: Array.isArray(row.answers) ? row.answers.map(String) : [],
    relevant: relevant.get(textOf(row, 'id')) ?? new Map<string, number>(),
  }));
  return { documents, queries };
}

/** Judgements by query; those that say "not relevant" are left out. */
async function readJudgements(file: string): Promise<Map<string, Map<string, number>>> {
  const judgements = new Map<string, Map<string, number>>();
  await eachLine(file, (line) => {
    const [query = '', document = '', relevance = ''] = line.split('\t');
    if (line.split('\t').length !== 3 || !/^-?\d+$/.test(relevance.trim()))
      throw new Error('not "query, document, relevance" between tabs');
    if (Number(relevance) <= 0) return;
    const ofQuery = judgements.get(query) ?? new Map<string, number>();
    judgements.set(query, ofQuery.set(document, Number(relevance)));
  });
  return judgements;
}

async function readJsonLines<Row>(
  file: string,
  rowFrom: (row: Record<string, unknown>) => Row,
): Promise<Row[]> {
  const rows: Row[] = [];
  await eachLine(file, (line) => rows.push(rowFrom(recordFrom(JSON.parse(line)))));
  return rows;
}

async function eachLine(file: string, work: (line: string) => void): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    try {
      work(line.replace(/\r$/, ''));
    } catch (error) {
      throw new Error(`${file}, line ${index + 1}: ${error instanceof Error ? error.message : error}`);
    }
  }
}

function recordFrom(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null) return { ...value };
  throw new Error('not an object');
}

/** Ids are sometimes numbers. */
function textOf(row: Record<string, unknown>, name: string): string {
  const value = row[name];
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new Error(`no ${name}`);
}
