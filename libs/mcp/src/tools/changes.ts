import { z } from 'zod';
import { createFramer, dataNotice, guestMark, quoted } from '../framed-text.ts';
import { type FeedPage, type FeedRange, type Memory, MemoryError } from '../memory.ts';
import { cursor } from './fields.ts';
import { decidedLine, proposes, readDecided } from './proposals.ts';
import { tool } from './tool.ts';

const lists = ['items', 'decisions', 'tasks'] as const;
type List = (typeof lists)[number];

const [defaultRows, maxRows] = [50, 200];
const defaultSince = '7d';
/** As the service writes times. */
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const minuteMs = 60_000;
const unitMs = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Something that changed, in the shape that all lists share. */
export interface Change {
  id: string;
  title: string;
  tier: string;
  updated_at: string;
  updated_by: string;
  by_guest: boolean;
  /** Of a decision or task, by its fields. */
  status?: string | undefined;
  /** The day that a decision was made, or that a task is due. */
  date?: string | undefined;
  removed: boolean;
}

const output = z.object({
  changes: z.array(
    // by_guest comes too, and beside the changes proposals, without the words of a schema.
    z.object({
      id: z.string(),
      title: z.string(),
      tier: z.string(),
      updated_at: z.string(),
      updated_by: z.string(),
      status: z.string().optional(),
      date: z.string().optional(),
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
    'List changed items, decisions and tasks, or one list, oldest first. since: a day, a time, or an age such as 24h or 2w (default 7d). limit: of each list. cursor: next_cursor, to ask later what is new.',
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
    const from = cursor === undefined ? undefined : placesFrom(cursor);
    const start = from === undefined ? instantOf(since, now()) : undefined;
    const wanted =
      from === undefined ? (list === undefined ? lists : [list]) : lists.filter((each) => from.has(each));
    const pages = new Map<List, FeedPage<Change>>();
    // One after the other: a key may have few lists in progress.
    for (const each of wanted) {
      const range = { since: start, cursor: from?.get(each), limit };
      pages.set(each, await readChanges(memory, each, range, signal));
    }
    const decidedSince = list === undefined ? (start ?? from?.get('proposals')) : undefined;
    const decided =
      decidedSince !== undefined && proposes(memory)
        ? await readDecided(memory, { since: decidedSince, limit }, signal)
        : undefined;
    const places = [...pages].map(([name, { nextCursor }]) => `${name}:${nextCursor}`);
    if (decided !== undefined) places.push(`proposals:${decided.until}`);
    const next_cursor = places.join(' ');
    const has_more = [...pages.values(), decided].some((page) => page?.hasMore);
    const { frame } = createFramer();
    const frameOf = (kind: string, rows: string[]) => frame({ kind }, rows.join('\n') || 'Nothing.');
    return {
      text: [
        dataNotice,
        ...[...pages].map(([name, { rows }]) => frameOf(`changed ${name}`, rows.map(changeLine))),
        ...(decided === undefined ? [] : [frameOf('your proposals', decided.rows.map(decidedLine))]),
        `next_cursor ${next_cursor}${has_more ? ' (there is more now)' : ''}`,
      ].join('\n\n'),
      data: {
        changes: [...pages.values()].flatMap(({ rows }) => rows),
        ...(decided && { proposals: decided.rows }),
        next_cursor,
        has_more,
      },
    };
  },
});

/** Returns a change as one line of text. */
export function changeLine(change: Change): string {
  const { id, title, tier, updated_at, updated_by, by_guest, status, date, removed } = change;
  if (removed) return `${updated_at} removed, or no longer visible: ${quoted(id)}`;
  return [
    `${updated_at} ${quoted(id)} ${quoted(title)}`,
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(date === undefined ? [] : [`${id.startsWith('tasks/') ? 'due' : 'decided'} ${date}`]),
    `tier ${tier}`,
    ...(updated_by === '' ? [] : [`by ${quoted(updated_by)}`]),
    ...(by_guest ? [guestMark] : []),
  ].join(' ');
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
  by_guest?: boolean | undefined;
  status?: string;
  decided_on?: string | null;
  due?: string | null;
}

function changeOf(id: string, row: ListedRow): Change {
  const { updated_at, deleted: removed = false, title = '', updated_by = '', by_guest = false } = row;
  return {
    id,
    title,
    tier: row.tier ?? row.audience ?? '',
    updated_at,
    updated_by,
    by_guest,
    status: row.status,
    date: row.decided_on ?? row.due ?? undefined,
    removed,
  };
}

/** Returns where each list goes on: a cursor of this tool has, for each, its name before the service's own cursor. */
function placesFrom(cursor: string): Map<List | 'proposals', string> {
  const places = new Map<List | 'proposals', string>();
  for (const part of cursor.split(' ', lists.length + 1)) {
    const colon = part.indexOf(':');
    const list = [...lists, 'proposals' as const].find((name) => name === part.slice(0, colon));
    const place = part.slice(colon + 1);
    if (list === undefined || (list === 'proposals' && !instantPattern.test(place))) {
      throw new MemoryError('invalid_cursor', 'This is no cursor of this tool.');
    }
    places.set(list, place);
  }
  return places;
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
