import type { Migration } from '@teammemory/migrations/run-migrations.ts';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { SqliteDatabase } from '@teammemory/sqlite/sqlite-database.ts';
import { type ScanTexts, scanBytes } from './stored-rows.ts';

/** Scans of one step; one has at most a few hundred KiB. */
const scansPerStep = 50;
const name = 'sizes of scans';

/** Scans of the first versions have no size: this notes it. */
export function sqliteScanSizes(database: SqliteDatabase): Migration {
  const select = database.prepare(
    `SELECT id, metrics_json, contributions_json, issues_json FROM scans WHERE bytes IS NULL LIMIT ${scansPerStep}`,
  );
  const update = database.prepare('UPDATE scans SET bytes = ? WHERE id = ?');
  return {
    name,
    step: () =>
      database.write(() => {
        const rows = select.all() as unknown as (ScanTexts & { id: string })[];
        for (const row of rows) update.run(scanBytes(row), row.id);
        return rows.length;
      }),
  };
}

/** As `sqliteScanSizes`. */
export function mongoScanSizes({ db, call }: MongoConnection): Migration {
  const scans = db.collection<ScanTexts & { _id: string; revision: number; bytes?: number | null }>('scans');
  return {
    name,
    async step() {
      const documents = await call((deadline) =>
        scans.find({ bytes: null }, deadline).limit(scansPerStep).toArray(),
      );
      if (documents.length === 0) return 0;
      const operations = documents.map((document) => ({
        updateOne: {
          // A scan that was pushed again meanwhile has its size.
          filter: { _id: document._id, revision: document.revision },
          update: { $set: { bytes: scanBytes(document) } },
        },
      }));
      await call((deadline) => scans.bulkWrite(operations, { ordered: false, ...deadline }));
      return documents.length;
    },
  };
}
