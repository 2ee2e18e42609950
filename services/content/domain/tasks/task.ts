import { createHash } from 'node:crypto';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { publicId } from '../feed/feed-page.ts';
import type { FeedRow, RowContent } from '../feed/feed-row.ts';
import type { TaskEntry } from './task-entries.ts';

/** A text that contains tasks: an item, or the body of a decision. */
export interface TaskSource {
  kind: 'item' | 'decision';
  /** row_key or decision_id. */
  id: string;
  tier: Tier;
  entries: TaskEntry[];
}

/**
 * The form of tasks that this program writes. Tasks of decisions are made again once where they have an earlier one: in
 * form 0 their source has no row_key.
 */
export const taskForm = 1;

/** A task as stored: its row, and what it said when it was written. */
export interface StoredTask {
  row: FeedRow;
  entry: TaskEntry;
}

/** Returns the beginning of the keys of a source's tasks. No row_key contains a line feed. */
export function keyBeginning({ kind, id }: Pick<TaskSource, 'kind' | 'id'>): string {
  return `${kind}/${id}\n`;
}

/** Returns what the row of a task holds, in public JSON (docs/contract.md, "Pull"). */
export function taskContent(rowKey: string, source: TaskSource, entry: TaskEntry): RowContent {
  const { title, status, owner, due, project, tags, line, heading } = entry;
  const place =
    source.kind === 'item'
      ? { row_key: source.id, line, heading }
      : { row_key: `decisions/${source.id}`, line, heading, decision_id: source.id };
  const task_id = publicId(rowKey);
  const task = { task_id, title, status, owner, due, project, tags, tier: source.tier, source: place };
  const checksum = createHash('sha256').update(JSON.stringify(task)).digest('hex');
  return {
    rowKey,
    tier: source.tier,
    checksum,
    jsonAt: (updatedAtMs) =>
      Buffer.from(JSON.stringify({ ...task, updated_at: new Date(updatedAtMs).toISOString() })),
  };
}

/** Returns a stored task. A removed one keeps its text in its row, which no page shows. */
export function storedTask(row: FeedRow): StoredTask {
  const { title, status, owner, due, project, tags, source } = JSON.parse(Buffer.from(row.json).toString());
  const { line, heading } = source;
  return { row, entry: { title, status, owner, due, project, tags, line, heading } };
}
