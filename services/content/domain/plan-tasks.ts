import { randomUUIDv7 } from 'node:crypto';
import { liveRow, removedRow } from './feed-change.ts';
import type { Position } from './item-decision.ts';
import type { ItemChange } from './item-store.ts';
import { matchTasks } from './match-tasks.ts';
import { keyBeginning, type StoredTask, type TaskSource, taskContent } from './task.ts';

/** One change of a task, to be given its place in the feed. */
export type PlannedChange = (place: Position) => ItemChange;

/**
 * What has to change so that the stored tasks of a source are those in its
 * text: entries that are the same task keep their row, new ones get an id,
 * rows without an entry are removed. Nothing where nothing differs.
 */
export function planTasks(source: TaskSource, stored: readonly StoredTask[]): PlannedChange[] {
  const old = stored.toSorted((a, b) => a.entry.line - b.entry.line);
  const matches = matchTasks(
    old.map(({ entry }) => entry),
    source.entries,
  );
  const kept = new Set(matches);
  const removals = old
    .filter((_, index) => !kept.has(index))
    .map(
      ({ row }): PlannedChange =>
        (place) => ({ item: removedRow(row, place), previous: row }),
    );
  const writes = source.entries.flatMap((entry, index): PlannedChange[] => {
    const row = old[matches[index] ?? -1]?.row;
    const content = taskContent(row?.rowKey ?? `${keyBeginning(source)}${randomUUIDv7()}`, source, entry);
    if (row?.checksum === content.checksum) return [];
    return [(place) => ({ item: liveRow(content, row, place), previous: row })];
  });
  return [...removals, ...writes];
}
