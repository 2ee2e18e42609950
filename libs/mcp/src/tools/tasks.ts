import { dayPattern } from '@teammemory/vocabulary/formats.ts';
import { z } from 'zod';
import { createFramer, dataNotice, quoted } from '../framed-text.ts';
import type { FeedPage, Memory, Removed, Task, TaskFilter } from '../memory.ts';
import { cursor, name } from './fields.ts';
import { tool } from './tool.ts';

const pageRows = 50;
/** A page may be empty although there is more: so many are read for one result. */
const maxPages = 10;

const output = z.object({
  tasks: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      status: z.string(),
      owner: z.string().nullable(),
      due: z.string().nullable(),
      project: z.string().nullable(),
      tier: z.string(),
      source: z.string(),
      line: z.int(),
    }),
  ),
  next_cursor: z.string(),
  has_more: z.boolean(),
});

/** Lists tasks. */
export const tasksTool = tool({
  name: 'tasks',
  title: 'Tasks',
  description:
    'List tasks; open ones by default. owner: a handle or me. due_by: a day, YYYY-MM-DD. To tick one: push to its source, replacing its line by one with [x].',
  input: z.object({
    status: z.enum(['open', 'done', 'cancelled']).optional(),
    owner: name.optional(),
    project: name.optional(),
    due_by: z.string().regex(dayPattern, 'It must be a day, as in 2026-11-21.').optional(),
    cursor: cursor.optional(),
  }),
  output,
  annotations: { readOnlyHint: true },
  writes: false,
  async run({ status = 'open', owner, project, due_by: dueBy, cursor }, { memory, signal }) {
    const filter = { status, owner: owner === 'me' ? memory.holder.member : owner, project, dueBy };
    const { rows, nextCursor, hasMore } = await readTasks(memory, filter, cursor, signal);
    const { frame } = createFramer();
    const more = hasMore ? [`There is more: call again with cursor ${nextCursor}`] : [];
    return {
      text: [
        dataNotice,
        frame({ kind: 'tasks' }, rows.length === 0 ? 'None.' : rows.map(taskLine).join('\n')),
        ...more,
      ].join('\n\n'),
      data: { tasks: rows.map(listedTask), next_cursor: nextCursor, has_more: hasMore },
    };
  },
});

/** Reads pages until one has tasks or there are no more. */
export async function readTasks(
  memory: Memory,
  filter: TaskFilter,
  from: string | undefined,
  signal: AbortSignal,
): Promise<FeedPage<Task>> {
  let cursor = from;
  for (let pages = 1; ; pages += 1) {
    const page = await memory.listTasks({ filter, cursor, limit: pageRows }, { signal });
    const rows = page.rows.filter(isTask);
    if (rows.length > 0 || !page.hasMore || pages === maxPages) return { ...page, rows };
    cursor = page.nextCursor;
  }
}

/** Returns a task as one line of text. */
export function taskLine(task: Task): string {
  const { title, status, owner, due, project, tier } = task;
  const { source, line } = listedTask(task);
  const details = [
    ...(owner === null ? [] : [`owner ${quoted(owner)}`]),
    ...(due === null ? [] : [`due ${due}`]),
    ...(project === null ? [] : [`project ${project}`]),
    `tier ${tier}`,
    `in ${quoted(source)} line ${line}`,
  ];
  return `[${status}] ${quoted(title)} ${details.join(', ')}`;
}

function listedTask({ task_id, title, status, owner, due, project, tier, source }: Task) {
  return {
    id: `tasks/${task_id}`,
    title,
    status,
    owner,
    due,
    project,
    tier,
    source: source.row_key,
    line: source.line,
  };
}

function isTask(row: Task | Removed<'task_id'>): row is Task {
  return !('deleted' in row);
}
