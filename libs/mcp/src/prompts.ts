import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { makeBrief, newForMs } from './brief.ts';
import { createFramer, dataNotice, placeOf } from './framed-text.ts';
import type { Memory } from './memory.ts';
import { changeLine, instantOf, readChanges } from './tools/changes.ts';
import { name, question } from './tools/fields.ts';
import { readTasks, taskLine } from './tools/tasks.ts';

/** Rows of each list, and passages, in one prompt. */
const [maxRows, maxPassages] = [100, 12];

/** What a prompt is made with. */
interface PromptContext {
  memory: Memory;
  signal: AbortSignal;
  now(): number;
}

interface MemoryPrompt {
  listed: Prompt;
  /** Checks the arguments and makes the message. Throws ZodError, MemoryError. */
  get(given: unknown, context: PromptContext): Promise<string>;
}

const since = z.object({ since: z.string().max(40).optional() });
const catchUp: MemoryPrompt = {
  listed: {
    name: 'catch-up',
    title: 'Catch up with the team',
    description: 'What changed in the memory since a day, a time or an age such as 24h',
    arguments: [{ name: 'since', description: 'A day, a time, or an age such as 24h, 7d, 2w; default 7d' }],
  },
  async get(given, { memory, signal, now }) {
    const from = instantOf(since.parse(given).since, now());
    const { frame } = createFramer();
    const parts = [];
    for (const list of ['items', 'decisions', 'tasks'] as const) {
      const { rows, hasMore } = await readChanges(memory, list, { since: from, limit: maxRows }, signal);
      const more = hasMore ? ['(more follow; the tool changes lists them)'] : [];
      parts.push(frame({ kind: `changed ${list}`, at: from }, [...rows.map(changeLine), ...more].join('\n')));
    }
    return [
      `Tell me what changed in our team's memory since ${from}: what matters first, with the ids. Fetch what you need to understand it.`,
      dataNotice,
      ...parts,
    ].join('\n\n');
  },
};

const taskArgument = z.object({ task: question });
const beforeYouStart: MemoryPrompt = {
  listed: {
    name: 'before-you-start',
    title: 'Before you start',
    description: 'What the memory says about a task: passages, decisions and open tasks',
    arguments: [{ name: 'task', description: 'What you are about to do', required: true }],
  },
  async get(given, { memory, signal }) {
    const { task } = taskArgument.parse(given);
    const [{ passages }, { rows }] = await Promise.all([
      memory.search(task, { limit: maxPassages, signal }),
      readTasks(memory, { status: 'open', owner: memory.holder.member }, undefined, signal),
    ]);
    const { frame } = createFramer();
    return [
      `I am about to do this: ${task}`,
      'Before you start, read what our team already knows about it. Name what was decided, what was tried, and what contradicts the plan, with the ids. Fetch what you need to be sure.',
      dataNotice,
      ...passages.map(({ kind, row_key, title, headings, tier, date, text }) =>
        frame({ kind, id: row_key, title: placeOf(title, headings), tier, at: date }, text),
      ),
      frame({ kind: 'my open tasks' }, rows.map(taskLine).join('\n') || 'None.'),
    ].join('\n\n');
  },
};

const projectArgument = z.object({ project: name.optional() });
const brief: MemoryPrompt = {
  listed: {
    name: 'brief',
    title: 'Brief',
    description: 'What was decided last, my open tasks, and what is new',
    arguments: [{ name: 'project', description: 'The slug of the project that the work is for' }],
  },
  async get(given, { memory, signal, now }) {
    const { project } = projectArgument.parse(given);
    const nowMs = now();
    return makeBrief(memory, { project, sinceMs: nowMs - newForMs, nowMs, signal });
  },
};

const prompts = [catchUp, beforeYouStart, brief];

/** The prompts as they are listed. */
export const listedPrompts: Prompt[] = prompts.map(({ listed }) => listed);

/**
 * Makes a prompt. Returns undefined for an unknown name.
 * @throws ZodError for arguments that do not fit; MemoryError.
 */
export async function getPrompt(
  name: string,
  given: unknown,
  context: PromptContext,
): Promise<GetPromptResult | undefined> {
  const prompt = prompts.find(({ listed }) => listed.name === name);
  if (prompt === undefined) return undefined;
  const text = await prompt.get(given ?? {}, context);
  return {
    description: prompt.listed.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}
