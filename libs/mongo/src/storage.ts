import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { MongoConnection } from './mongo-connection.ts';

/** A folder that exists and is locked for this process alone. Each service has one SQLite file in it. */
export interface SqliteStorage {
  engine: 'sqlite';
  directory: string;
  metrics?: Metrics;
}

/** A connection of the caller's, who closes it after the service. */
export interface MongodbStorage {
  engine: 'mongodb';
  connection: MongoConnection;
}

/** The storage of a service. */
export type Storage = SqliteStorage | MongodbStorage;
