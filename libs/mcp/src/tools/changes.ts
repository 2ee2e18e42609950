import { z } from 'zod';
import { createFramer, dataNotice, quoted } from '../framed-text.ts';
import { type FeedPage, type FeedRange, type Memory, MemoryError } from '../memory.ts';
import { cursor } from './fields.ts';
import { tool } from './tool.ts';

const lists = ['items', 'decisions', 'tasks'] as const;
type List = (typeof lists)[number];

const [defaultRows, maxRows] = [50, 200];
const defaultSince = '7d';
const minuteMs = 60_000;
const unitMs = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Something that changed, in the shape that all lists share. */
export interface Change {
  id: string;
  title: string;
  tier: string;
  updated_at: string;
  updated_by: string;
  removed: boolean;
}

const output = z.object({
  changes: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      tier: z.string(),
      updated_at: z.string(),
      updated_by: z.string(),
      removed: z.boolean(),
    }),
  ),
  next_cursor: z.string(),
  has_more: z.boolean(),
});

/** Lists what is new. */
export const changesTool = tool({
  name: 'changes',
  title: 'What changed',
  description:
    'List what changed, oldest first, without texts. since: a day, a time, or an age such as 24h or 2w (default 7d). Keep next_cursor to ask later what is new.',
  input: z.object({
    list: z.enum(lists).optional(),
    since: z.string().max(40).optional(),
    cursor: cursor.optional(),
    limit: z.int().min(1).max(maxRows).optional(),
  }),
  output,
  annotations: { readOnlyHint: true },
  writes: false,
  async run({ list, since, cursor, limit = defaultRows }, { memory, signal, now }) {
    const from = cursor === undefined ? undefined : placeFrom(cursor);
    const wanted = from?.list ?? list ?? 'items';
    const range = from ? { cursor: from.cursor, limit } : { since: instantOf(since, now()), limit };
    const { rows, nextCursor, hasMore } = await readChanges(memory, wanted, range, signal);
    const { frame } = createFramer();
    return {
      text: [
        dataNotice,
        frame(
          { kind: `changed ${wanted}` },
          rows.length === 0 ? 'Nothing.' : rows.map(changeLine).join('\n'),
        ),
        `next_cursor ${wanted}:${nextCursor}${hasMore ? ' (there is more now)' : ''}`,
      ].join('\n\n'),
      data: { changes: rows, next_cursor: `${wanted}:${nextCursor}`, has_more: hasMore },
    };
  },
});

/** Returns a change as one line of text. */
export function changeLine({ id, title, tier, updated_at, updated_by, removed }: Change): string {
  if (removed) return `${updated_at} removed, or no longer visible: ${quoted(id)}`;
  const by = updated_by === '' ? '' : ` by ${quoted(updated_by)}`;
  return `${updated_at} ${quoted(id)} ${quoted(title)} tier ${tier}${by}`;
}

/** Reads a page of changes of one list. */
export async function readChanges(
  memory: Memory,
  list: List,
  range: FeedRange,
  signal: AbortSignal,
): Promise<FeedPage<Change>> {
  if (list === 'items') {
    const page = await memory.listItems(range, { signal });
    return { ...page, rows: page.rows.map((row) => changeOf(row.row_key, row)) };
  }
  if (list === 'tasks') {
    const page = await memory.listTasks(range, { signal });
    return { ...page, rows: page.rows.map((row) => changeOf(`tasks/${row.task_id}`, row)) };
  }
  const page = await memory.listDecisions(range, { signal });
  return { ...page, rows: page.rows.map((row) => changeOf(`decisions/${row.decision_id}`, row)) };
}

interface ListedRow {
  updated_at: string;
  deleted?: boolean;
  title?: string;
  tier?: string;
  audience?: string;
  updated_by?: string;
}

function changeOf(
  id: string,
  { updated_at, deleted = false, title, tier, audience, updated_by }: ListedRow,
): Change {
  return {
    ...{ id, title: title ?? '', tier: tier ?? audience ?? '' },
    ...{ updated_at, updated_by: updated_by ?? '', removed: deleted },
  };
}

/** Returns what a cursor of this tool means: it has the name of its list before the service's own. */
function placeFrom(cursor: string): { list: List; cursor: string } {
  const colon = cursor.indexOf(':');
  const list = lists.find((name) => name === cursor.slice(0, colon));
  if (list === undefined) throw new MemoryError('invalid_cursor', 'This is no cursor of this tool.');
  return { list, cursor: cursor.slice(colon + 1) };
}

/**
 * Returns the instant of a day, a time or an age before now, as RFC 3339.
 * @throws MemoryError `invalid_request`.
 */
export function instantOf(since: string = defaultSince, nowMs: number): string {
  const [, count, unit] = /^(\d{1,4})([hdw])$/.exec(since.trim()) ?? [];
  // Ages begin at a whole minute, so that those who ask within it read one page, which the gateway keeps.
  const minute = Math.floor(nowMs / minuteMs) * minuteMs;
  const time =
    count === undefined ? Date.parse(since) : minute - Number(count) * unitMs[unit as keyof typeof unitMs];
  const isDate = /^\d{4}-\d{2}-\d{2}/.test(since.trim());
  if ((count === undefined && !isDate) || Number.isNaN(time)) {
    throw new MemoryError(
      'invalid_request',
      'since must be a day (2026-11-21), a time (2026-11-21T06:00:00Z) or an age (24h, 7d, 2w).',
    );
  }
  return new Date(time).toISOString();
}
