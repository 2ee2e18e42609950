import type { BackupRow, BackupSection, BackupStore } from '@teammemory/backup/backup-store.ts';
import { mongoBackupSection, mongoRestoreRecords } from '@teammemory/mongo/backup-tables.ts';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { AnyBulkWriteOperation, ObjectId } from 'mongodb';
import { embeddingTable, ratingTable, usageDayTable, usageTotalTable } from './backup-tables.ts';
import type { AccountDocument } from './mongo-usage-store.ts';

/** Accounts that are read at once; one may have thousands of reservations. */
const accountsPerPage = 100;
const rowsPerWrite = 200;

/** What backup and restore need of query's collections. */
export function mongoBackup(connection: MongoConnection): BackupStore {
  const { db, call } = connection;
  const usage = db.collection<AccountDocument>('usage');

  async function* accounts(signal: AbortSignal): AsyncGenerator<AccountDocument[]> {
    for (let after: ObjectId | undefined; ; ) {
      signal.throwIfAborted();
      const later = after === undefined ? {} : { _id: { $gt: after } };
      const page = await call((deadline) =>
        usage.find(later, deadline).sort({ _id: 1 }).limit(accountsPerPage).toArray(),
      );
      if (page.length === 0) return;
      yield page;
      after = page.at(-1)?._id;
    }
  }

  async function write(operations: AnyBulkWriteOperation<AccountDocument>[]): Promise<void> {
    for (let start = 0; start < operations.length; start += rowsPerWrite) {
      const some = operations.slice(start, start + rowsPerWrite);
      await call((deadline) => usage.bulkWrite(some, { ...deadline }));
    }
  }

  const stored = mongoBackupSection(connection, { ...usageDayTable, name: 'usage' });
  const days: BackupSection = {
    ...stored,
    name: usageDayTable.name,
    async *read(signal) {
      for await (const page of accounts(signal)) yield page.map(dayRow);
    },
    restore: (rows) =>
      write(
        rows.map((row) => ({
          updateOne: {
            filter: accountOf(row, row.scope as 'team' | 'member'),
            update: { $set: { spent: row.spent as number }, $setOnInsert: { open: [], models: [] } },
            upsert: true,
          },
        })),
      ),
  };
  const totals: BackupSection = {
    ...stored,
    name: usageTotalTable.name,
    fields: usageTotalTable.fields,
    async *read(signal) {
      for await (const page of accounts(signal)) yield page.flatMap(totalRows);
    },
    restore: (rows) =>
      write(
        rows.flatMap((row) => {
          const { team_id: _team, day: _day, member_id: _member, ...entry } = row;
          const filter = accountOf(row, 'member');
          const model = { model: row.model as string };
          const empty = { $setOnInsert: { spent: 0, open: [], models: [] } };
          // What a repeated call has written already is replaced.
          return [
            { updateOne: { filter, update: empty, upsert: true } },
            { updateOne: { filter, update: { $pull: { models: model } } } },
            { updateOne: { filter, update: { $push: { models: entry as never } } } },
          ];
        }),
      ),
  };
  return {
    sections: [
      mongoBackupSection(connection, embeddingTable),
      days,
      totals,
      mongoBackupSection(connection, ratingTable),
    ],
    records: mongoRestoreRecords(connection, 'query'),
  };
}

function accountOf({ team_id, day, member_id }: BackupRow, scope: 'team' | 'member') {
  return { team_id: team_id as string, day: day as string, scope, member_id: member_id as string };
}

function dayRow({ team_id, day, scope, member_id, spent, open }: AccountDocument): BackupRow {
  const reserved = open.reduce((sum, { amount }) => sum + amount, 0);
  return { team_id, day, scope, member_id, spent: spent - reserved, open: 0 };
}

function totalRows({ team_id, day, scope, member_id, models }: AccountDocument): BackupRow[] {
  if (scope !== 'member') return [];
  return models.filter(({ calls }) => calls > 0).map((entry) => ({ team_id, day, member_id, ...entry }));
}
