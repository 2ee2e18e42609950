import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { TaskIdStore } from '../domain/tasks/read-task.ts';
import type { FeedDocument } from './mongo-feed-document.ts';
import { feedNames } from './stored-feed.ts';

/** Finds tasks in MongoDB. `TaskIdStore` says what each method promises. */
export async function createMongoTaskIdStore(connection: MongoConnection): Promise<TaskIdStore> {
  const rows = connection.db.collection<FeedDocument>(feedNames.tasks.rows);
  await connection.ensureIndexes(feedNames.tasks.rows, [{ key: { team_id: 1, row_id: 1 } }]);

  return {
    async rowKey(teamId, taskId) {
      const filter = { team_id: teamId, row_id: taskId };
      const found = await connection.call((deadline) =>
        rows.findOne(filter, { ...deadline, projection: { row_key: 1 } }),
      );
      return found?.row_key;
    },
  };
}
