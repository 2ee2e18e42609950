import { randomBytes } from 'node:crypto';
import { isDuplicateKey, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { Binary } from 'mongodb';
import { type CursorSecret, cursorKeyBytes, upgradeMs } from '../domain/feed/cursor.ts';
import { feedNames } from './stored-feed.ts';

interface SecretDocument {
  _id: 'cursors';
  key: Binary;
  earlier_until: number;
}

/**
 * Returns what cursors are sealed with, and makes it in a new database or one of an earlier version. If several processes
 * make it at once, one succeeds and all read the same.
 */
export async function mongoCursorSecret(connection: MongoConnection): Promise<CursorSecret> {
  const secrets = connection.db.collection<SecretDocument>('content_secrets');
  const read = () => connection.call((deadline) => secrets.findOne({ _id: 'cursors' }, deadline));
  const stored = (await read()) ?? (await make());
  return { key: stored.key.buffer.subarray(0, stored.key.position), earlierUntilMs: stored.earlier_until };

  async function make(): Promise<SecretDocument> {
    const earlier_until = (await hasRows(connection)) ? Date.now() + upgradeMs : 0;
    const made: SecretDocument = {
      _id: 'cursors',
      key: new Binary(randomBytes(cursorKeyBytes)),
      earlier_until,
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

async function hasRows(connection: MongoConnection): Promise<boolean> {
  for (const { rows } of Object.values(feedNames)) {
    const projection = { _id: 1 };
    const row = await connection.call((deadline) =>
      connection.db.collection(rows).findOne({}, { ...deadline, projection }),
    );
    if (row !== null) return true;
  }
  return false;
}
