import type { Collection, Filter, FindOptions } from 'mongodb';
import type { MongoConnection } from './mongo-connection.ts';

/** Rows that one call removes: it keeps up with any rate of new ones, and stays a short write. */
const maxRemoved = 100;

/**
 * Removes up to 100 documents that a filter finds, in the order and after the number of documents that `which` says.
 * MongoDB's own deletion takes neither an order nor a limit.
 */
export async function removeFound<Document extends { _id: string }>(
  { call }: Pick<MongoConnection, 'call'>,
  collection: Collection<Document>,
  filter: Filter<Document>,
  which: Pick<FindOptions, 'sort' | 'skip'>,
): Promise<void> {
  await call(async (deadline) => {
    const options = { ...which, limit: maxRemoved, projection: { _id: 1 }, ...deadline };
    const found = await collection.find<{ _id: string }>(filter, options).toArray();
    if (found.length === 0) return;
    const ids = found.map(({ _id }) => _id);
    await collection.deleteMany({ _id: { $in: ids } } as Filter<Document>, deadline);
  });
}
