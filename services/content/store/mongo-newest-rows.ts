import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Collection } from 'mongodb';
import type { FeedDocument } from './mongo-feed-document.ts';

/** Feeds whose newest row is remembered: some megabytes. */
const maxKnownFeeds = 20_000;

/** The fields that order a feed. */
type OrderField = 'seq' | 'updated_at' | 'external_at';
type NewestRow = Pick<FeedDocument, OrderField>;

/**
 * Returns a function that reads a team's newest row by one of these fields. It looks from where the newest was last seen,
 * so a server that sorts what it finds has little to sort.
 */
export function createNewestRows(
  connection: MongoConnection,
  rows: Collection<FeedDocument>,
): (field: OrderField, teamId: string) => Promise<NewestRow | null> {
  const known = new Map<string, number>();

  function look(field: OrderField, teamId: string, from: number): Promise<NewestRow | null> {
    const filter = { team_id: teamId, [field]: { $gte: from } };
    const projection = { _id: 0, seq: 1, updated_at: 1, external_at: 1 };
    return connection.call((deadline) =>
      rows.findOne(filter, { ...deadline, sort: { [field]: -1 }, projection }),
    );
  }

  return async (field, teamId) => {
    const feed = `${field} ${teamId}`;
    const last = known.get(feed) ?? 0;
    // A feed can be shorter than it was if a backup has been restored.
    const newest = (await look(field, teamId, last)) ?? (last > 0 ? await look(field, teamId, 0) : null);
    if (known.size >= maxKnownFeeds) known.clear();
    known.set(feed, newest?.[field] ?? 0);
    return newest;
  };
}
