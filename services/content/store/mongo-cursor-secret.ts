import { randomBytes } from 'node:crypto';
import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { Binary } from 'mongodb';
import { type CursorSecret, cursorKeyBytes } from '../domain/feed/cursor.ts';

interface SecretDocument {
  _id: 'cursors';
  key: Binary;
  /** 0, for 0.1, which reads it. */
  earlier_until: number;
}

/**
 * Returns what cursors are sealed with, and makes it in a new database. If several processes make it at once, one succeeds and all read the same.
 */
export async function mongoCursorSecret(connection: MongoConnection): Promise<CursorSecret> {
  const secrets = connection.db.collection<SecretDocument>('content_secrets');
  const read = () => connection.call((deadline) => secrets.findOne({ _id: 'cursors' }, deadline));
  const stored = (await read()) ?? (await make());
  return { key: stored.key.buffer.subarray(0, stored.key.position) };

  async function make(): Promise<SecretDocument> {
    const made: SecretDocument = {
      _id: 'cursors',
      key: new Binary(randomBytes(cursorKeyBytes)),
      earlier_until: 0,
    };
    try {
      await connection.call((deadline) => secrets.insertOne(made, deadline));
      return made;
    } catch (error) {
      const others = isDuplicateKey(error) ? await read() : null;
      if (others === null) throw error;
      return others;
    }
  }
}
