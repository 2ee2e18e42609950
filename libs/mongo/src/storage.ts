import type { Metrics } from '@teammemory/telemetry/metrics.ts';
import type { MongoConnection } from './mongo-connection.ts';

/** Where a service keeps its rows: SQLite in a folder of this process alone, or a MongoDB database. */
export type Storage =
  /** In a file below `directory`, which must exist and be locked for this process. */
  | { engine: 'sqlite'; directory: string; metrics?: Metrics }
  /** In a connection of the caller's, who closes it after the service. */
  | { engine: 'mongodb'; connection: MongoConnection };
