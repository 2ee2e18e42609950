import { AppError } from '@teammemory/errors/app-error.ts';
import { type Reader, shownJson } from '../feed/feed-page.ts';
import type { FeedStore } from '../feed/feed-store.ts';
import type { Projection } from '../feed/progress.ts';

/**
 * Finds the rows of tasks by the ids that clients know. The key of a row begins with the source of the task, which a
 * client does not name. Every method throws AppError `unavailable` when the database cannot be reached in time.
 */
export interface TaskIdStore {
  /** Returns the key of the row of a task, removed or not; undefined if there was never one of this id. */
  rowKey(teamId: string, taskId: string): Promise<string | undefined>;
}

/**
 * Returns a task in public JSON, as lists show it to the reader, made from every push that was acknowledged before.
 * @throws AppError `not_found` for one that is absent, removed or not visible, `unavailable`.
 */
export async function readTask(
  { tasks, taskIds, projection }: { tasks: FeedStore; taskIds: TaskIdStore; projection: Projection },
  { teamId, tier }: Reader,
  taskId: string,
): Promise<Uint8Array> {
  await projection.catchUp(teamId);
  // One that is absent costs the same two reads as one that is hidden, so the time tells nothing. No key is empty.
  const rowKey = (await taskIds.rowKey(teamId, taskId)) ?? '';
  const json = shownJson(await tasks.read(teamId, rowKey, tier), tier);
  if (json === undefined) throw new AppError('not_found', 'There is no such task.');
  return json;
}
