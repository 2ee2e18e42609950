import type { Log } from '@teammemory/log/log.ts';
import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { Settings } from './config.ts';

/** Where the services of this process keep their rows. */
export type Storage =
  | { engine: 'sqlite'; directory: string; metrics: Metrics }
  | { engine: 'mongodb'; connection: MongoConnection };

/**
 * MongoDB where MONGODB_URL is set, else SQLite files in the data directory.
 * @throws what `openMongodb` does.
 */
export async function openStorage(
  settings: Settings,
  directory: string,
  { log, metrics }: { log: Log; metrics: Metrics },
): Promise<Storage> {
  const { MONGODB_URL: url, MONGODB_DATABASE: database } = settings;
  if (url === undefined) return { engine: 'sqlite', directory, metrics };
  // The driver is a good part of a start, and of no use without a server.
  const { openMongodb } = await import('@teammemory/process/open-mongodb.ts');
  return { engine: 'mongodb', connection: await openMongodb({ url, database, log, metrics }) };
}

/** Closes what `openStorage` opened, after the services are closed. */
export async function closeStorage(storage: Storage): Promise<void> {
  if (storage.engine === 'mongodb') await storage.connection.close();
}
