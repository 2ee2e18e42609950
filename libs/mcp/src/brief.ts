import { createFramer, dataNotice, quoted } from './framed-text.ts';
import type { Call, Decision, FeedPage, FeedRange, Memory, Removed } from './memory.ts';
import { type Change, readChanges } from './tools/changes.ts';
import { readTasks } from './tools/tasks.ts';

// What an agent should know before it is told what to do: what was decided last, what the person has to do, what is new.

/** Tokens of a brief at most, with its notice and frame, and what those take. */
export const maxBriefTokens = 600;
const frameTokens = 110;
/** Lines of each part, and characters of a title in them. */
const [maxLines, maxTitleLength] = [6, 100];
/** A page of a feed, which begins with the oldest change, and pages that are read to reach the newest. */
const [pageRows, maxPages] = [200, 3];
const [minuteMs, dayMs] = [60_000, 86_400_000];
/** Decisions that are older are found by searching. */
const decisionsSinceMs = 90 * dayMs;

/** How long ago something is new, where no earlier session is known. */
export const newForMs = 7 * dayMs;

/** What a brief is about. */
export interface BriefOptions extends Call {
  /** The slug of the project that the work is for, whose rows come first; undefined if it is not known. */
  project?: string | undefined;
  /** Since when something is new, in milliseconds since the epoch. */
  sinceMs: number;
  nowMs: number;
}

/**
 * Returns the brief of a memory, framed as data.
 * @throws MemoryError
 */
export async function makeBrief(
  memory: Memory,
  { project, sinceMs, nowMs, signal }: BriefOptions,
): Promise<string> {
  // From a whole minute on, so that those who ask within it read one page, which the gateway keeps.
  const since = new Date(sinceMs - (sinceMs % minuteMs)).toISOString();
  const decidedSince = new Date(nowMs - (nowMs % dayMs) - decisionsSinceMs).toISOString();
  const { member } = memory.holder;
  const [decisions, tasks, items] = await Promise.all([
    readNewest((range) => memory.listDecisions(range, { signal }), decidedSince),
    // Until the service has said whose key it is, nobody's tasks are asked for.
    member === '' ? undefined : readTasks(memory, { status: 'open', owner: member }, undefined, signal),
    readNewest((range) => readChanges(memory, 'items', range, signal), since),
  ]);
  const isOfProject = (row: { project: string | null }) => project !== undefined && row.project === project;
  const decided = decisions
    .filter(isDecision)
    .toSorted((left, right) => lastDay(right).localeCompare(lastDay(left)));
  const open = (tasks?.rows ?? []).toSorted((left, right) =>
    (left.due ?? '9999').localeCompare(right.due ?? '9999'),
  );
  const changed = items.filter(({ removed }) => !removed).toReversed();
  const folder = `projects/${project}/`;
  const parts: [heading: string, lines: string[]][] = [
    [
      'Decided last:',
      ofProjectFirst(decided, isOfProject).map((row) => {
        const day = row.decided_on ?? row.updated_at.slice(0, 10);
        return `${day} ${row.status} ${shown(row.title)} decisions/${row.decision_id}`;
      }),
    ],
    [
      `Open tasks of ${quoted(member)}:`,
      ofProjectFirst(open, isOfProject).map(({ title, due, source }) => {
        return `${shown(title)}${due === null ? '' : ` due ${due}`} in ${shown(source.row_key)} line ${source.line}`;
      }),
    ],
    [
      `Changed since ${since}:`,
      ofProjectFirst(changed, ({ id }) => project !== undefined && id.startsWith(folder)).map(changeOf),
    ],
  ];
  const about = project === undefined ? 'the team' : `project ${project}`;
  const lines = linesWithin(maxBriefTokens - frameTokens, parts);
  const text = lines.length === 0 ? 'Nothing is new.' : lines.join('\n');
  return `${dataNotice}\n\n${createFramer().frame({ kind: `brief of ${about}` }, text)}`;
}

/** Reads a feed up to its newest rows, and returns the last page or two of it, oldest first. */
async function readNewest<Row>(
  read: (range: FeedRange) => Promise<FeedPage<Row>>,
  since: string,
): Promise<Row[]> {
  let range: FeedRange = { since, limit: pageRows };
  let rows: Row[] = [];
  for (let pages = 1; pages <= maxPages; pages += 1) {
    const page = await read(range);
    rows = [...rows, ...page.rows];
    if (!page.hasMore) break;
    range = { cursor: page.nextCursor, limit: pageRows };
  }
  return rows;
}

function isDecision(row: Decision | Removed<'decision_id'>): row is Decision {
  return !('deleted' in row);
}

function lastDay({ decided_on, updated_at }: Decision): string {
  return decided_on ?? updated_at;
}

function changeOf({ id, title, updated_by, by_guest }: Change): string {
  return `${shown(id)} ${shown(title)} by ${shown(updated_by)}${by_guest ? ', a guest' : ''}`;
}

/** Returns the first rows, those of the project before others. */
function ofProjectFirst<Row>(rows: readonly Row[], isOfProject: (row: Row) => boolean): Row[] {
  const [own, others] = [rows.filter(isOfProject), rows.filter((row) => !isOfProject(row))];
  return [...own, ...others].slice(0, maxLines);
}

function shown(text: string): string {
  return quoted(text.length > maxTitleLength ? `${text.slice(0, maxTitleLength)}…` : text);
}

/** Takes lines of all parts in turn until the next would be too many tokens, and returns them in the order of the parts. */
function linesWithin(maxTokens: number, parts: readonly (readonly [string, readonly string[]])[]): string[] {
  const taken = parts.map((): string[] => []);
  let tokens = 0;
  for (let at = 0; at < maxLines; at += 1) {
    for (const [index, [heading, lines]] of parts.entries()) {
      const line = lines[at];
      if (line === undefined) continue;
      const added = at === 0 ? [heading, `- ${line}`] : [`- ${line}`];
      const cost = added.reduce((sum, each) => sum + tokensAtMost(each), 0);
      if (tokens + cost > maxTokens) continue;
      tokens += cost;
      taken[index]?.push(...(taken[index].length === 0 && at > 0 ? [heading, ...added] : added));
    }
  }
  return taken.flat();
}

/** Returns a bound on the tokens of a line: models cut common words seldom, and other characters into a token each or two. */
function tokensAtMost(line: string): number {
  let tokens = 1;
  for (const [part] of line.matchAll(/[a-zA-Z]+|\d+|[^\sa-zA-Z\d]/gu)) {
    if (/^[a-zA-Z]/.test(part)) tokens += Math.ceil(part.length / 3);
    else if (/^\d/.test(part)) tokens += Math.ceil(part.length / 2);
    else tokens += Math.min(3, Buffer.byteLength(part));
  }
  return tokens;
}
