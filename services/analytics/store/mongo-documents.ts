import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Collection, Document, Filter, UpdateFilter } from 'mongodb';
import type { VersionPosition } from '../domain/scored-rows.ts';

/**
 * Updates the one document that `key` names, or inserts it, and returns its
 * id. `key` must be all of a unique index: it decides between two that insert
 * at once, and the one that came second finds the other's document when it
 * tries again. Documents are never removed, so the id stays what it is.
 */
export async function putDocument<Row extends Document & { _id: string }>(
  { call }: MongoConnection,
  collection: Collection<Row>,
  key: Filter<Row>,
  update: UpdateFilter<Row>,
): Promise<string> {
  const put = () => call((deadline) => collection.updateOne(key, update, { upsert: true, ...deadline }));
  const { upsertedId } = await put().catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
    return put();
  });
  if (upsertedId !== null) return upsertedId as string;
  const found = await call((deadline) => collection.findOne(key, { projection: { _id: 1 }, ...deadline }));
  return (found as { _id: string })._id;
}

interface VersionedDocument {
  _id: string;
  team_id: string;
  version: number;
}

/** Matches rows of versions before `version` that come after a position in the order of version and id. */
export function ratedBeforeFilter(
  teamId: string,
  version: number,
  after: VersionPosition,
): Filter<VersionedDocument> {
  const later = [
    { version: after.version, _id: { $gt: after.id } },
    { version: { $gt: after.version, $lt: version } },
  ];
  return { team_id: teamId, version: { $lt: version }, $or: later };
}
