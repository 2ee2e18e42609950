import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EngineStorage } from '@teammemory/testkit/describe-each-engine.ts';

/** Makes stored scans those of a program that knew no sizes and no versions of data. */
export async function forgetScanSizes(storage: EngineStorage): Promise<void> {
  if (storage.engine === 'mongodb') {
    const { db } = storage.connection;
    await db.collection('scans').updateMany({}, { $unset: { bytes: '' } });
    await db.collection('schema_versions').deleteMany({});
    return;
  }
  const database = new DatabaseSync(join(storage.directory, 'analytics.sqlite'));
  database.exec('UPDATE scans SET bytes = NULL; DROP TABLE schema_version;');
  database.close();
}
