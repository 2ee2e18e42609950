import type { EngineStorage } from '@teammemory/testkit/describe-each-engine.ts';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import type { ServiceOptions } from './running-service.ts';

/** Options that start the program on the storage of the running test, as often as one likes. */
export function serviceOptionsFor(
  storage: EngineStorage,
  environment: Record<string, string> = {},
): ServiceOptions {
  if (storage.engine === 'sqlite') return { dataDirectory: storage.directory, environment };
  const server = mongoServerForTests();
  if ('reason' in server) throw new Error(server.reason);
  return {
    mongodbUrl: server.url,
    environment: { MONGODB_DATABASE: storage.connection.db.databaseName, ...environment },
  };
}
