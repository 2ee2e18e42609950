import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Collection, IndexDescription } from 'mongodb';
import type { FeedStore } from '../domain/feed/feed-store.ts';
import { endOfBeginning } from './key-range.ts';
import type { FeedDocument } from './mongo-feed-document.ts';

/** Has the rows that external keys see or saw, those that they see by key. */
export const externalKeys = {
  name: 'external_keys',
  key: { team_id: 1, deleted: 1, tier: 1, row_key: 1 },
  partialFilterExpression: { external_at: { $gte: 0 } },
} satisfies IndexDescription;

/** Returns `FeedStore.keyPage` for the collection of one feed. */
export function createMongoKeyPage(
  connection: MongoConnection,
  rows: Collection<FeedDocument>,
): FeedStore['keyPage'] {
  return async (teamId, tier, { beginning, from, limit }) => {
    const { team_id, row_key } = keysFrom(teamId, beginning);
    const range = { team_id, row_key: { ...row_key, $gte: from } };
    const shown = { deleted: false, tier, ...externalKeys.partialFilterExpression };
    // Without the hint the server may look through rows that external keys do not see.
    const [filter, hint] =
      tier === 'team' ? [range, {}] : [{ ...range, ...shown }, { hint: externalKeys.name }];
    const projection = { _id: 0, row_key: 1, deleted: 1 };
    const found = await connection.call((deadline) =>
      rows.find(filter, { ...deadline, ...hint, projection, sort: { row_key: 1 }, limit }).toArray(),
    );
    return found.map(({ row_key, deleted }) => ({ rowKey: row_key, isLive: !deleted }));
  };
}

/** Returns the condition on keys of a team that begin with a text. */
export function keysFrom(teamId: string, beginning: string) {
  const end = endOfBeginning(beginning);
  return { team_id: teamId, row_key: { $gte: beginning, ...(end === undefined ? {} : { $lt: end }) } };
}
