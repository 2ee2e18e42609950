import { AppError } from '@teammemory/errors/app-error.ts';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { publicId } from '../domain/feed/feed-page.ts';
import type { TaskIdStore } from '../domain/tasks/read-task.ts';
import type { FeedDocument } from './mongo-feed-document.ts';
import { feedNames } from './stored-feed.ts';

/** Rows that get their id in one write. */
const maxFilledRows = 200;
/** Writes of one call: they fit into the deadline of the caller, who comes again if there are more. */
const maxFills = 50;

/**
 * Finds tasks in MongoDB. `TaskIdStore` says what each method promises. Rows that an earlier version of this program
 * wrote do not have the field that is looked for; a team's rows get it when the first task of the team is looked for.
 */
export async function createMongoTaskIdStore(connection: MongoConnection): Promise<TaskIdStore> {
  const rows = connection.db.collection<FeedDocument>(feedNames.tasks.rows);
  await connection.ensureIndexes(feedNames.tasks.rows, [{ key: { team_id: 1, row_id: 1 } }]);

  /** Writes the ids of some rows that have none, and returns whether there may be more. */
  async function fill(teamId: string): Promise<boolean> {
    const without = { team_id: teamId, row_id: { $exists: false } };
    const found = await connection.call((deadline) =>
      rows.find(without, { ...deadline, projection: { row_key: 1 }, limit: maxFilledRows }).toArray(),
    );
    if (found.length === 0) return false;
    const operations = found.map(({ _id, row_key }) => ({
      updateOne: { filter: { _id, team_id: teamId }, update: { $set: { row_id: publicId(row_key) } } },
    }));
    await connection.call((deadline) => rows.bulkWrite(operations, { ...deadline, ordered: false }));
    return found.length === maxFilledRows;
  }

  return {
    async rowKey(teamId, taskId) {
      for (let fills = 0; await fill(teamId); fills += 1) {
        if (fills === maxFills)
          throw new AppError('unavailable', 'The tasks are being indexed; try again shortly.');
      }
      const filter = { team_id: teamId, row_id: taskId };
      const found = await connection.call((deadline) =>
        rows.findOne(filter, { ...deadline, projection: { row_key: 1 } }),
      );
      return found?.row_key;
    },
  };
}
