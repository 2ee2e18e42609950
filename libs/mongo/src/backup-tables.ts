import type {
  BackupRow,
  BackupSection,
  BackupTable,
  FieldType,
  FieldValue,
  RestoreRecords,
} from '@teammemory/backup/backup-store.ts';
import { Binary, type Document, type Filter } from 'mongodb';
import { isDuplicateKey, type MongoConnection } from './mongo-connection.ts';

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
  { name, fields, key, id, unique = [], absent = [], also }: MongoBackupCollection,
): BackupSection {
  const collection = db.collection(name);

  function rowFrom(document: Document): BackupRow {
    const values = Object.entries(fields).map(([field, type]) => {
      const value = field === id ? document._id : document[field];
      return [field, fieldFrom(value, type)];
    });
    return Object.fromEntries(values);
  }

  function idOf(row: BackupRow): unknown {
    if (typeof id === 'string') return row[id];
    return id?.map((field) => row[field]).join('\n');
  }

  /** Chooses other documents with values that these rows have: they were removed before the rows got them. */
  const replacedBy = (rows: readonly BackupRow[]): Filter<Document>[] =>
    unique.flatMap((names) =>
      rows.map((row) => ({ ...pick(row, names), _id: { $ne: idOf(row) } }) as Filter<Document>),
    );

  function replacement(row: BackupRow) {
    const _id = idOf(row);
    // With the team, by which collections may be sharded.
    const team = id === 'team_id' || row.team_id === undefined ? {} : { team_id: row.team_id };
    const filter = _id === undefined ? pick(row, key) : { _id, ...team };
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
      const last = [key, ...unique].reduce<readonly BackupRow[]>(lastOfEach, rows);
      for (let start = 0; start < last.length; start += documentsPerWrite) {
        const some = last.slice(start, start + documentsPerWrite);
        const operations = some.map(replacement);
        const write = () =>
          call((deadline) => collection.bulkWrite(operations, { ordered: false, ...deadline }));
        await write().catch(async (error: unknown) => {
          if (unique.length === 0 || !isDuplicateKey(error)) throw error;
          await call((deadline) => collection.deleteMany({ $or: replacedBy(some) }, deadline));
          await write();
        });
      }
    },
    isEmpty: async () => (await call((deadline) => collection.findOne({}, deadline))) === null,
    async clear(beforePage = async () => undefined) {
      for (;;) {
        await beforePage();
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

interface RestoreDocument {
  _id: string;
  restore_id: string;
  finished: boolean;
  active_at: number;
}

/** Keeps the last restore of a service in the database. */
export function mongoRestoreRecords({ db, call }: MongoConnection, service: string): RestoreRecords {
  const restores = db.collection<RestoreDocument>('restores');
  return {
    async read() {
      const document = await call((deadline) => restores.findOne({ _id: service }, deadline));
      return document === null
        ? undefined
        : {
            restoreId: document.restore_id,
            isFinished: document.finished,
            activeAt: document.active_at,
          };
    },
    async replace(expected, { restoreId, isFinished, activeAt }) {
      const next = { restore_id: restoreId, finished: isFinished, active_at: activeAt };
      if (expected === undefined) {
        try {
          await call((deadline) => restores.insertOne({ _id: service, ...next }, deadline));
          return true;
        } catch (error) {
          if (isDuplicateKey(error)) return false;
          throw error;
        }
      }
      const same = {
        _id: service,
        restore_id: expected.restoreId,
        finished: expected.isFinished,
        active_at: expected.activeAt,
      };
      const { matchedCount } = await call((deadline) =>
        restores.updateOne(same as Filter<RestoreDocument>, { $set: next }, deadline),
      );
      return matchedCount === 1;
    },
  };
}

function pick(row: BackupRow, names: readonly string[]): Record<string, FieldValue | undefined> {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

/** Returns of rows with the same values in some fields the last. */
function lastOfEach(rows: readonly BackupRow[], names: readonly string[]): readonly BackupRow[] {
  return [...new Map(rows.map((row) => [JSON.stringify(Object.values(pick(row, names))), row])).values()];
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
