import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Page } from '@teammemory/proto/common/v1/page_pb.ts';
import { TaskStatus } from '@teammemory/proto/content/v1/content_pb.ts';
import type { ItemSummary } from '../../data/team-items.ts';
import { feedPageRows, rowsOf } from '../../data/use-feed.ts';
import { rpc } from '../../service/rpc.ts';
import type { Decision } from '../decisions/decision.ts';
import { type Change, decisionChange, itemChange, type TaskRow, taskChange } from '../news/news-days.ts';
import { groupByDue, type Task, todayHere } from '../tasks/task-groups.ts';

/** A proposal that nobody has touched for longer is found on the page Decisions. */
const proposalsMs = 90 * 24 * 60 * 60_000;
/** Pages of decisions that are read; with more of them some proposals may be missing. */
const maxDecisionPages = 5;

/** What the day starts with. */
export interface StartData {
  /** What others changed, the newest first. */
  changes: Change[];
  /** Whether there are more changes than were read. */
  hasMoreChanges: boolean;
  /** The open tasks of who is signed in, those that are due first at the beginning. */
  tasks: Task[];
  hasMoreTasks: boolean;
  /** Decisions that wait, the newest first. */
  proposed: Decision[];
  /** When the newest change that was read happened, ISO 8601; empty for none. */
  newest: string;
  /** Whether the session sees no item at all. */
  isEmpty: boolean;
}

/** Reads what the day starts with. */
export async function readStart(member: string, since: Date, signal: AbortSignal): Promise<StartData> {
  const options = { signal };
  const page = { since: timestampFromDate(since), limit: feedPageRows };
  const [items, changedTasks, ownTasks, decisions] = await Promise.all([
    rpc.content.listItems({ page, summary: true }, options),
    rpc.content.listTasks({ page }, options),
    rpc.content.listTasks(
      { page: { limit: feedPageRows }, filter: { status: TaskStatus.OPEN, owner: member } },
      options,
    ),
    readDecisions(signal),
  ]);
  const itemRows = rowsOf<ItemSummary>(items.page);
  const taskRows = rowsOf<TaskRow>(changedTasks.page);
  const sinceText = since.toISOString();
  const decisionRows = decisions.filter(({ updated_at }) => updated_at > sinceText);
  const isEmpty =
    itemRows.length === 0 &&
    rowsOf((await rpc.content.listItems({ page: { limit: 1 }, summary: true }, options)).page).length === 0;
  return {
    changes: changesByOthers(member, { items: itemRows, tasks: taskRows, decisions: decisionRows }),
    hasMoreChanges: hasMore(items.page) || hasMore(changedTasks.page),
    tasks: groupByDue(rowsOf<Task>(ownTasks.page), todayHere()).flatMap(({ tasks }) => tasks),
    hasMoreTasks: hasMore(ownTasks.page),
    proposed: decisions
      .filter(({ status }) => status === 'proposed')
      .sort((one, other) => other.updated_at.localeCompare(one.updated_at)),
    newest: [...itemRows, ...taskRows, ...decisionRows].map(({ updated_at }) => updated_at).reduce(later, ''),
    isEmpty,
  };
}

/**
 * Returns what others changed, the newest first. A task does not tell who changed it: one that stands in what `member`
 * changed is theirs.
 */
export function changesByOthers(
  member: string,
  rows: { items: readonly ItemSummary[]; tasks: readonly TaskRow[]; decisions: readonly Decision[] },
): Change[] {
  const isOwn = ({ updated_by }: { updated_by: string }) => updated_by === member;
  const ownTexts = new Set([
    ...rows.items.filter(isOwn).map(({ row_key }) => row_key),
    ...rows.decisions.filter(isOwn).map(({ decision_id }) => decision_id),
  ]);
  return [
    ...rows.items.filter((row) => !isOwn(row)).map(itemChange),
    ...rows.decisions.filter((row) => !isOwn(row)).map(decisionChange),
    ...rows.tasks.filter(({ source }) => !ownTexts.has(source.decision_id ?? source.row_key)).map(taskChange),
  ].sort((one, other) => other.at.getTime() - one.at.getTime());
}

async function readDecisions(signal: AbortSignal): Promise<Decision[]> {
  const since = timestampFromDate(new Date(Date.now() - proposalsMs));
  const decisions: Decision[] = [];
  let cursor = '';
  for (let pages = 0; pages < maxDecisionPages; pages += 1) {
    const { page } = await rpc.content.listDecisions(
      { page: { since, cursor, limit: feedPageRows } },
      { signal },
    );
    decisions.push(...rowsOf<Decision>(page));
    if (page === undefined || !page.hasMore) break;
    cursor = page.nextCursor;
  }
  return decisions;
}

function hasMore(page: Page | undefined): boolean {
  return page?.hasMore === true;
}

function later(one: string, other: string): string {
  return other > one ? other : one;
}
