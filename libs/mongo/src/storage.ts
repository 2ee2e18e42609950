import type { Log } from '@teammemory/log/log.ts';
import type { DiskRoom } from '@teammemory/sqlite/disk-room.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { MongoConnection } from './mongo-connection.ts';

/** A folder that exists and is locked for this process alone. Each service has one SQLite file in it. */
export interface SqliteStorage {
  engine: 'sqlite';
  directory: string;
  /** The space on its disk; unset: nothing is kept for the case that it is full. */
  room?: DiskRoom | undefined;
  metrics?: Metrics;
  /** Gets what migrations of older rows did. */
  log?: Log;
}

/** A connection of the caller's, who closes it after the service. */
export interface MongodbStorage {
  engine: 'mongodb';
  connection: MongoConnection;
  /** Gets what migrations of older rows did. */
  log?: Log;
}

/** The storage of a service. */
export type Storage = SqliteStorage | MongodbStorage;
