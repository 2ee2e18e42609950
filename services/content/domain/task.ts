import { createHash } from 'node:crypto';
import type { RowContent } from './feed-change.ts';
import type { Item } from './item.ts';
import type { TaskEntry } from './task-entries.ts';
import type { Tier } from './tier.ts';

/** A text in which tasks stand: an item, or the body of a decision. */
export interface TaskSource {
  kind: 'item' | 'decision';
  /** row_key or decision_id. */
  id: string;
  tier: Tier;
  entries: TaskEntry[];
}

/** A task as stored: its row, and what it said when it was written. */
export interface StoredTask {
  row: Item;
  entry: TaskEntry;
}

/** What the keys of a source's tasks begin with. No row_key has a line feed in it. */
export function keyBeginning({ kind, id }: Pick<TaskSource, 'kind' | 'id'>): string {
  return `${kind}/${id}\n`;
}

/** A task as a row of the feed (decisions §4, "Task"). */
export function taskContent(rowKey: string, source: TaskSource, entry: TaskEntry): RowContent {
  const { title, status, owner, due, project, tags, line, heading } = entry;
  const place =
    source.kind === 'item'
      ? { row_key: source.id, line, heading }
      : { row_key: null, line, heading, decision_id: source.id };
  const task_id = rowKey.slice(rowKey.lastIndexOf('\n') + 1);
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

/** Reads a stored task back; a removed one keeps its text in its row, which no page shows. */
export function storedTask(row: Item): StoredTask {
  const { title, status, owner, due, project, tags, source } = JSON.parse(Buffer.from(row.json).toString());
  const { line, heading } = source;
  return { row, entry: { title, status, owner, due, project, tags, line, heading } };
}
