import { randomUUIDv7 } from 'node:crypto';
import { liveRow, type Position, removedRow } from './feed-change.ts';
import type { Item } from './item.ts';
import { keyBeginning, type StoredTask, type TaskSource, taskContent } from './task.ts';
import type { TaskWorker } from './task-worker.ts';

/** One change of a task, to be given its position in the feed. */
export interface PlannedChange {
  previous: Item | undefined;
  at(position: Position): Item;
}

/**
 * What has to change so that the stored tasks of a source are those in its
 * text: entries that are the same task keep their row, those that come back
 * take theirs again from `removed`, new ones get an id, rows without an entry
 * are removed. Nothing where nothing differs.
 * @throws AppError `unavailable` when the machine is too busy to compare them.
 */
export async function planTasks(
  worker: TaskWorker,
  source: TaskSource,
  stored: readonly StoredTask[],
  removed: readonly StoredTask[],
): Promise<PlannedChange[]> {
  const old = stored.toSorted((a, b) => a.entry.line - b.entry.line);
  const gone = removed
    .filter(({ row }) => canComeBack(row, source))
    .toSorted((a, b) => b.row.seq - a.row.seq);
  const entriesOf = (tasks: StoredTask[]) => tasks.map(({ entry }) => entry);
  const matches = await worker.match(entriesOf(old), source.entries, entriesOf(gone));
  const kept = new Set(matches);
  const removals = old
    .filter((_, index) => !kept.has(index))
    .map(
      ({ row }): PlannedChange => ({
        previous: row,
        at: (place) => ({ ...removedRow(row, place), json: row.json }),
      }),
    )
    // The last line goes first: of equal titles that come back newest first, each finds its own again.
    .toReversed();
  const known = [...old, ...gone];
  const writes = source.entries.flatMap((entry, index): PlannedChange[] => {
    const row = known[matches[index] ?? -1]?.row;
    const content = taskContent(row?.rowKey ?? `${keyBeginning(source)}${randomUUIDv7()}`, source, entry);
    if (row?.deleted === false && row.checksum === content.checksum) return [];
    return [{ previous: row, at: (place) => liveRow(content, row, place) }];
  });
  return [...removals, ...writes];
}

/**
 * Whether a removed task may be that of an entry again. Ids tell when they were
 * made: an external key that pushes guessed titles must not learn which of them
 * internal tasks once had.
 */
function canComeBack(row: Item, source: TaskSource): boolean {
  return source.tier === 'team' || row.tier === 'external';
}
