import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Which questions may be looked at while the product is changed, and which only afterwards. */
export type Half = 'seen' | 'kept';

/** Kinds of questions that nothing in the memory answers: about something else, or about a thing that it does not mention. */
const unanswerable = ['far', 'near'];

const pattern = z.string().transform((source) => new RegExp(source, 'i'));
const question = z.strictObject({
  id: z.coerce.string(),
  text: z.string().min(1),
  kind: z.string(),
  half: z.enum(['seen', 'kept']),
  contains: z.array(pattern),
  not: z.array(pattern).default([]),
  sources: z.array(z.string()).default([]),
  note: z.string().optional(),
});
const rows = z.strictObject({
  decisions: z.array(
    z.strictObject({
      ref: z.string(),
      title: z.string(),
      body: z.string(),
      status: z.enum(['proposed', 'accepted', 'superseded', 'rejected']),
      audience: z.enum(['team', 'external']),
      project: z.string().nullish(),
      decided_on: z.string().nullish(),
    }),
  ),
  projects: z.array(z.strictObject({ slug: z.string(), name: z.string() })),
});

/** A question to a team's memory, and how its answer is judged (test/eval/memory/README.md). */
export type MemoryQuestion = z.infer<typeof question>;
/** Decisions and projects that were made on the server. */
export type MemoryRows = z.infer<typeof rows>;

/** A folder of notes with what was made on the server beside them, and questions. */
export interface TeamMemory {
  name: string;
  /** Folder of the Markdown files. */
  items: string;
  rows: MemoryRows;
  questions: readonly MemoryQuestion[];
}

/** What became of a question. */
export interface Verdict {
  question: MemoryQuestion;
  answer: string;
  sources: readonly string[];
  /** The answer has all that it must contain; false for a question that nothing answers. */
  contained: boolean;
  /** It has nothing that it must not contain. */
  clean: boolean;
  /** It rests on nothing, or begins by saying that what was asked about is not mentioned. */
  refused: boolean;
  /** One of the right sources is among its sources. */
  rightSource: boolean;
  /** The first of its sources is a right one. */
  firstSource: boolean;
  /** All that it must contain stands in its first 300 characters. */
  isEarly: boolean;
  /** At a look: at most 1,000 characters, no entities of HTML, no torn table and no open block of code. */
  isReadable: boolean;
}

/**
 * Reads the memory of a folder, with its questions from `questionsFile`.
 * @throws Error that names file and line for what is not of this form.
 */
export async function readMemory(
  folder: string,
  { name, questionsFile }: { name: string; questionsFile: string },
): Promise<TeamMemory> {
  const rowsText = await readFile(join(folder, 'rows.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{"decisions":[],"projects":[]}';
    throw error;
  });
  const lines = (await readFile(questionsFile, 'utf8')).split('\n');
  const questions = lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [question.parse(JSON.parse(line))];
    } catch (error) {
      throw new Error(
        `${questionsFile}, line ${index + 1}: ${error instanceof Error ? error.message : error}`,
      );
    }
  });
  return { name, items: join(folder, 'items'), rows: rows.parse(JSON.parse(rowsText)), questions };
}

/** Whether anything in the memory answers a question. */
export function isAnswerable({ kind }: MemoryQuestion): boolean {
  return !unanswerable.includes(kind);
}

/** What a reader sees at a look. */
const earlyCharacters = 300;
/** An answer with its headings and citations. */
const readableCharacters = 1_000;

/** Judges an answer by the patterns of its question. */
export function judge(asked: MemoryQuestion, answer: string, sources: readonly string[]): Verdict {
  const texts = [plainText(answer), answer.replace(/\s+/g, ' ')];
  const has = (wanted: RegExp) => texts.some((text) => wanted.test(text));
  return {
    question: asked,
    answer,
    sources,
    contained: isAnswerable(asked) && sources.length > 0 && asked.contains.every(has),
    clean: !asked.not.some(has),
    refused: sources.length === 0 || answer.startsWith('No note mentions '),
    rightSource: asked.sources.some((each) => sources.includes(each)),
    firstSource: asked.sources.includes(sources[0] ?? ''),
    isEarly:
      isAnswerable(asked) &&
      sources.length > 0 &&
      asked.contains.every((wanted) => wanted.test(texts[0]?.slice(0, earlyCharacters) ?? '')),
    isReadable: isReadable(answer),
  };
}

function isReadable(answer: string): boolean {
  const isTorn = answer.split(/\n\s*\n/).some((block) => {
    const rows = block.split('\n').filter((line) => line.trim().startsWith('|'));
    return rows.length > 0 && !rows.some((row) => /^[\s|:-]+$/.test(row));
  });
  const fences = answer.match(/^[ \t>]*(?:```|~~~)/gm)?.length ?? 0;
  const hasEntity = /&(?:#\d+|#x[\da-f]+|lt|gt|amp|quot|nbsp);/i.test(answer.replace(/```.*?```/gs, ''));
  const isLinkTorn = /\][ \t]+\((?:https?:|\/|#)/.test(answer);
  return answer.length <= readableCharacters && !isTorn && fences % 2 === 0 && !hasEntity && !isLinkTorn;
}

/** The words of an answer: without the marks of Markdown and the citations, with one blank between them. */
export function plainText(answer: string): string {
  return answer
    .replace(/\[\d{1,3}\]/g, ' ')
    .replace(/[*`|]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|^[ \t]*(?:#{1,6}|>|[-+])[ \t]/gmu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
