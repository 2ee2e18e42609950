import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readMemory, type TeamMemory } from './team-memory.ts';

const folder = join(import.meta.dirname, 'memory');
/** Questions about the manuals, a file for each. */
const manualQuestions = join(folder, 'manuals');
/** Ends the names of files of questions that were written after the halves of the others had been used up. */
const newQuestions = '-new';
/** Dated notes of talks: rules for other notes may hurt these. */
const conversations = 'conversations';

/** Which questions are asked. */
export interface AskedQuestions {
  /** Names of memories; all where there are none. */
  names: readonly string[];
  half?: string | undefined;
  /** The folder that `make-manuals.py` made, if manuals are asked too. */
  manuals?: string | undefined;
}

/** Reads the memories of test/eval/memory with the questions that are asked; those without a question are left out. */
export async function readMemories({ names, half, manuals }: AskedQuestions): Promise<TeamMemory[]> {
  const all = [...(await readNotes()), ...(manuals === undefined ? [] : await readManuals(manuals))];
  return all
    .map((memory) => ({
      ...memory,
      questions: memory.questions.filter((question) => (half ?? question.half) === question.half),
    }))
    .filter(({ name, questions }) => (names.length === 0 || names.includes(name)) && questions.length > 0);
}

/** Returns the kind of texts that a memory has, under which its figures are summed up. */
export function groupOf({ name, items }: TeamMemory): string {
  const ofNotes = name.startsWith(conversations) ? conversations : 'notes';
  return items.startsWith(folder) ? ofNotes : 'manuals';
}

/** The same, with questions that were written later apart. */
export function groupByAge(memory: TeamMemory): string {
  return memory.name.endsWith(newQuestions) ? `${groupOf(memory)}, new questions` : groupOf(memory);
}

/** Each memory with the questions of each of its files. */
async function readNotes(): Promise<TeamMemory[]> {
  const files = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'items')))
    .flatMap(({ name }) => [
      { name, ofMemory: name, file: 'questions.jsonl' },
      { name: name + newQuestions, ofMemory: name, file: `questions${newQuestions}.jsonl` },
    ])
    .filter(({ ofMemory, file }) => existsSync(join(folder, ofMemory, file)));
  return Promise.all(
    files.map(({ name, ofMemory, file }) =>
      readMemory(join(folder, ofMemory), { name, questionsFile: join(folder, ofMemory, file) }),
    ),
  );
}

async function readManuals(made: string): Promise<TeamMemory[]> {
  const files = (await readdir(manualQuestions)).filter((file) => file.endsWith('.jsonl'));
  return Promise.all(
    files.map((file) => {
      const name = file.slice(0, -'.jsonl'.length);
      const questionsFile = join(manualQuestions, file);
      return readMemory(join(made, name.replace(newQuestions, '')), { name, questionsFile });
    }),
  );
}
