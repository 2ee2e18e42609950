import { randomBytes, randomUUID } from 'node:crypto';
import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { Binary } from 'mongodb';
import { type CursorSecret, cursorKeyBytes } from '../domain/feed/cursor.ts';

/** Returns the identity of the data, and makes it in a database that has none. */
export async function mongoIdentity(connection: MongoConnection): Promise<string> {
  const made = { _id: 'identity', uuid: randomUUID() };
  return (await madeOnce(connection, 'content_identity', made)).uuid;
}

/** Returns what cursors are sealed with, and makes it in a new database. */
export async function mongoCursorSecret(connection: MongoConnection): Promise<CursorSecret> {
  // 0.1 reads `earlier_until`.
  const made = { _id: 'cursors', key: new Binary(randomBytes(cursorKeyBytes)), earlier_until: 0 };
  const { key } = await madeOnce(connection, 'content_secrets', made);
  return { key: key.buffer.subarray(0, key.position) };
}

/** Returns the document with the id of `made`, which is stored if there is none. Processes that do so at once get the same. */
async function madeOnce<Made extends { _id: string }>(
  { db, call }: MongoConnection,
  collection: string,
  made: Made,
): Promise<Made> {
  const documents = db.collection<{ _id: string }>(collection);
  const find = () =>
    call((deadline) => documents.findOne({ _id: made._id }, deadline)) as Promise<Made | null>;
  const known = await find();
  if (known !== null) return known;
  try {
    await call((deadline) => documents.insertOne(made, deadline));
    return made;
  } catch (error) {
    const others = isDuplicateKey(error) ? await find() : null;
    if (others === null) throw error;
    return others;
  }
}
