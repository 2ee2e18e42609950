import type { Log } from '@teammemory/log/log.ts';
import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { MongoConnection } from './mongo-connection.ts';

/** A folder that exists and is locked for this process alone. Each service has one SQLite file in it. */
export interface SqliteStorage {
  engine: 'sqlite';
  directory: string;
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
