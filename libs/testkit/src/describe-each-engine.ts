import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { afterEach, beforeEach, describe } from 'vitest';
import { describeOnMongo } from './describe-on-mongo.ts';
import { type TemporaryDirectory, temporaryDirectory } from './temporary-directory.ts';

/** Empty storage that only the running test uses. */
export type EngineStorage =
  | { engine: 'sqlite'; directory: string }
  | { engine: 'mongodb'; connection: MongoConnection };

/** The engine that a contract suite runs on. */
export interface Engine {
  name: EngineStorage['engine'];
  /** Returns the storage of the running test. Call it in hooks and tests, not while they are declared. */
  storage(): EngineStorage;
}

/**
 * Declares the same suite once for each engine. Each test gets fresh storage, which is removed after the suite's own
 * `afterEach` has closed what it opened. Without a MongoDB server that half is skipped, and its name says why.
 */
export function describeEachEngine(name: string, declareTests: (engine: Engine) => void): void {
  describe(`${name} on SQLite`, () => {
    const directory = directoryOfEachTest();
    declareTests({ name: 'sqlite', storage: () => ({ engine: 'sqlite', directory: directory() }) });
  });
  describeOnMongo(name, (connection) => {
    declareTests({ name: 'mongodb', storage: () => ({ engine: 'mongodb', connection: connection() }) });
  });
}

function directoryOfEachTest(): () => string {
  let current: TemporaryDirectory | undefined;
  beforeEach(async () => {
    current = await temporaryDirectory();
  });
  afterEach(async () => {
    await current?.remove();
    current = undefined;
  });
  return () => {
    if (current === undefined) throw new Error('storage() is there only while a test runs');
    return current.path;
  };
}
