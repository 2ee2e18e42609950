import type { Log } from '@teammemory/log/log.ts';
import type { Storage } from '@teammemory/mongo/storage.ts';
import { openDiskRoom } from '@teammemory/sqlite/disk-room.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { Settings } from './config.ts';

/**
 * Opens MongoDB if MONGODB_URL is set, else uses SQLite files in the data directory.
 * @throws AppError as `openMongodb`.
 */
export async function openStorage(
  settings: Settings,
  directory: string,
  { log, metrics }: { log: Log; metrics: Metrics },
): Promise<Storage> {
  const { MONGODB_URL: url, MONGODB_DATABASE: database } = settings;
  if (url === undefined)
    return { engine: 'sqlite', directory, room: openDiskRoom(directory, metrics), metrics, log };
  // Imported here because the driver takes a good part of a start, and is not needed without a server.
  const { openMongodb } = await import('@teammemory/process/open-mongodb.ts');
  return { engine: 'mongodb', connection: await openMongodb({ url, database, metrics }), log };
}

/** Closes what `openStorage` opened, after the services are closed. */
export async function closeStorage(storage: Storage): Promise<void> {
  if (storage.engine === 'mongodb') await storage.connection.close();
}
