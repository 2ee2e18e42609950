import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Page } from '@teammemory/proto/common/v1/page_pb.ts';
import { DecisionStatus, TaskStatus } from '@teammemory/proto/content/v1/content_pb.ts';
import { everyPage } from '../../data/every-page.ts';
import type { ItemSummary } from '../../data/item-summaries.ts';
import { feedPageRows, rowsOf } from '../../data/use-feed.ts';
import { rpc } from '../../service/rpc.ts';
import type { Decision } from '../decisions/decision.ts';
import { type Change, decisionChange, itemChange, type TaskRow, taskChange } from '../news/news-days.ts';
import { groupByDue, type Task, todayHere } from '../tasks/task-groups.ts';

/** Pages of proposals that are read, some of which may be short. */
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
  const [items, changedTasks, ownTasks, decisions, proposed] = await Promise.all([
    rpc.content.listItems({ page, summary: true }, options),
    rpc.content.listTasks({ page }, options),
    rpc.content.listTasks(
      { page: { limit: feedPageRows }, filter: { status: TaskStatus.OPEN, owner: member } },
      options,
    ),
    rpc.content.listDecisions({ page }, options),
    readProposed(signal),
  ]);
  const itemRows = rowsOf<ItemSummary>(items.page);
  const taskRows = rowsOf<TaskRow>(changedTasks.page);
  const decisionRows = rowsOf<Decision>(decisions.page);
  const isEmpty =
    itemRows.length === 0 &&
    rowsOf((await rpc.content.listItems({ page: { limit: 1 }, summary: true }, options)).page).length === 0;
  return {
    changes: changesByOthers(member, { items: itemRows, tasks: taskRows, decisions: decisionRows }),
    hasMoreChanges: [items, changedTasks, decisions].some((list) => hasMore(list.page)),
    tasks: groupByDue(rowsOf<Task>(ownTasks.page), todayHere()).flatMap(({ tasks }) => tasks),
    hasMoreTasks: hasMore(ownTasks.page),
    proposed: proposed.sort((one, other) => other.updated_at.localeCompare(one.updated_at)),
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

/** Reads all decisions that are proposed. */
function readProposed(signal: AbortSignal): Promise<Decision[]> {
  const load = async (cursor: string) => {
    const query = { page: { cursor, limit: feedPageRows }, status: DecisionStatus.PROPOSED };
    const { page } = await rpc.content.listDecisions(query, { signal });
    return { page, nextPageToken: page?.hasMore ? page.nextCursor : '' };
  };
  return everyPage(load, ({ page }) => rowsOf<Decision>(page), maxDecisionPages);
}

function hasMore(page: Page | undefined): boolean {
  return page?.hasMore === true;
}

function later(one: string, other: string): string {
  return other > one ? other : one;
}
