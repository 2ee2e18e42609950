import {
  noRecord,
  openedRecord,
  type SchemaRecord,
  type SchemaRecords,
  type StoreSchema,
} from '@teammemory/migrations/schema-version.ts';
import { isDuplicateKey, type MongoConnection } from './mongo-connection.ts';

interface SchemaDocument {
  /** Name of the store. */
  _id: string;
  version: number;
  readable_from: number;
  reached_at: number;
}

/** Another process may open the same store at the same time; it can do so only so often before this one has its turn. */
const maxAttempts = 20;

/**
 * Checks that a program may work with the data of a store, and notes that it does. To be called before anything of the
 * store is changed.
 * @throws AppError as `openedRecord`.
 */
export async function openMongoSchema(
  connection: MongoConnection,
  schema: StoreSchema,
): Promise<SchemaRecords> {
  const { call } = connection;
  const documents = connection.db.collection<SchemaDocument>('schema_versions');
  const { store } = schema;

  const find = () => call((deadline) => documents.findOne({ _id: store }, deadline));

  /** Returns whether the record was as it was read. */
  async function replace(stored: SchemaDocument | null, record: SchemaRecord): Promise<boolean> {
    const document = documentFrom(record);
    if (stored !== null) {
      const result = await call((deadline) => documents.updateOne(stored, { $set: document }, deadline));
      return result.matchedCount === 1;
    }
    try {
      await call((deadline) => documents.insertOne({ _id: store, ...document }, deadline));
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  for (let attempt = 1; ; attempt += 1) {
    const stored = await find();
    const record = openedRecord(schema, stored === null ? noRecord : recordFrom(stored));
    if (await replace(stored, record)) break;
    if (attempt === maxAttempts) throw new Error(`the version of the data of ${store} changes all the time`);
  }

  return {
    async read() {
      const stored = await find();
      return stored === null ? noRecord : recordFrom(stored);
    },
    async reached(version, at) {
      const isNew = { $or: [{ $eq: ['$reached_at', 0] }, { $lt: ['$version', version] }] };
      const change = { version, reached_at: { $cond: [isNew, at, '$reached_at'] } };
      await call((deadline) => documents.updateOne({ _id: store }, [{ $set: change }], deadline));
    },
    async outdated() {
      const change = { $set: { version: 0, reached_at: 0 } };
      await call((deadline) => documents.updateOne({ _id: store }, change, deadline));
    },
  };
}

function recordFrom({ version, readable_from, reached_at }: SchemaDocument): SchemaRecord {
  return { version, readableFrom: readable_from, reachedAt: reached_at };
}

function documentFrom({ version, readableFrom, reachedAt }: SchemaRecord): Omit<SchemaDocument, '_id'> {
  return { version, readable_from: readableFrom, reached_at: reachedAt };
}
