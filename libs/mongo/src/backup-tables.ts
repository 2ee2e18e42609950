import type {
  BackupRow,
  BackupSection,
  BackupTable,
  FieldType,
  FieldValue,
  RestoreRecords,
} from '@teammemory/backup/backup-store.ts';
import { Binary, type Document, type Filter } from 'mongodb';
import type { MongoConnection } from './mongo-connection.ts';

/** Documents, and characters or bytes of their values, that are read at once. */
const documentsPerPage = 500;
const sizePerPage = 2 ** 20;
const documentsPerWrite = 200;

/** A collection that is backed up. */
export interface MongoBackupCollection extends BackupTable {
  /** Fields that a document has and a row in SQLite has not. */
  also?: (row: BackupRow) => Document;
}

/** Reads and writes a collection for backup and restore. */
export function mongoBackupSection(
  { db, call }: MongoConnection,
  { name, fields, key, id, absent = [], defaults = {}, also }: MongoBackupCollection,
): BackupSection {
  const collection = db.collection(name);

  function rowFrom(document: Document): BackupRow {
    const values = Object.entries(fields).map(([field, type]) => {
      const value = field === id ? document._id : document[field];
      return [field, fieldFrom(value ?? defaults[field], type)];
    });
    return Object.fromEntries(values);
  }

  function replacement(row: BackupRow) {
    const joined = typeof id === 'object' ? id.map((field) => row[field]).join('\n') : undefined;
    const _id = typeof id === 'string' ? row[id] : joined;
    // With the team, by which collections may be sharded.
    const team = id === 'team_id' || row.team_id === undefined ? {} : { team_id: row.team_id };
    const filter =
      _id === undefined ? Object.fromEntries(key.map((field) => [field, row[field]])) : { _id, ...team };
    const values = Object.entries(row)
      .filter(
        ([field, value]) => field !== id && !(absent.includes(field) && (value === null || value === false)),
      )
      .map(([field, value]) => [field, value instanceof Uint8Array ? new Binary(value) : value]);
    const replaced = { ...Object.fromEntries(values), ...also?.(row) };
    return { replaceOne: { filter: filter as Filter<Document>, replacement: replaced, upsert: true } };
  }

  return {
    name,
    fields,
    async *read(signal) {
      for (let after: unknown; ; ) {
        signal.throwIfAborted();
        const later = after === undefined ? {} : { _id: { $gt: after } };
        const page = await call(async (deadline) => {
          const found: Document[] = [];
          let size = 0;
          const cursor = collection
            .find(later as Filter<Document>, deadline)
            .sort({ _id: 1 })
            .limit(documentsPerPage);
          for await (const document of cursor) {
            found.push(document);
            size += sizeOf(document);
            if (size >= sizePerPage) break;
          }
          return found;
        });
        if (page.length === 0) return;
        yield page.map(rowFrom);
        after = page.at(-1)?._id;
      }
    },
    async restore(rows) {
      // Of a row that comes more than once the last one counts; the server may write those of one call in any order.
      const byKey = new Map(rows.map((row) => [key.map((field) => row[field]).join('\n'), row]));
      const last = [...byKey.values()];
      for (let start = 0; start < last.length; start += documentsPerWrite) {
        const operations = last.slice(start, start + documentsPerWrite).map(replacement);
        await call((deadline) => collection.bulkWrite(operations, { ordered: false, ...deadline }));
      }
    },
    isEmpty: async () => (await call((deadline) => collection.findOne({}, deadline))) === null,
    async clear() {
      for (;;) {
        const page = await call((deadline) =>
          collection
            .find({}, { ...deadline, projection: { _id: 1 } })
            .limit(documentsPerPage)
            .toArray(),
        );
        if (page.length === 0) return;
        const those = { _id: { $in: page.map(({ _id }) => _id) } };
        await call((deadline) => collection.deleteMany(those, deadline));
      }
    },
  };
}

/** Keeps the last restore of a service in the database. */
export function mongoRestoreRecords({ db, call }: MongoConnection, service: string): RestoreRecords {
  const restores = db.collection<{ _id: string; restore_id: string; finished: boolean }>('restores');
  return {
    async read() {
      const document = await call((deadline) => restores.findOne({ _id: service }, deadline));
      return document === null
        ? undefined
        : { restoreId: document.restore_id, isFinished: document.finished };
    },
    async write({ restoreId, isFinished }) {
      const change = { $set: { restore_id: restoreId, finished: isFinished } };
      await call((deadline) => restores.updateOne({ _id: service }, change, { upsert: true, ...deadline }));
    },
  };
}

function fieldFrom(value: unknown, type: FieldType): FieldValue {
  if (type === 'flag') return value === true;
  if (type === 'words') return (value ?? []) as string[];
  if (type === 'bytes')
    return value instanceof Binary ? value.buffer.subarray(0, value.position) : (value as Uint8Array);
  return (value ?? null) as FieldValue;
}

function sizeOf(document: Document): number {
  return Object.values(document).reduce((sum: number, value) => {
    if (typeof value === 'string') return sum + value.length;
    return value instanceof Binary ? sum + value.length() : sum;
  }, 0);
}
