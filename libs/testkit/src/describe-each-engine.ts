import type { MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { afterEach, beforeEach, describe } from 'vitest';
import { describeOnMongo } from './describe-on-mongo.ts';
import { type TemporaryDirectory, temporaryDirectory } from './temporary-directory.ts';

/** Empty storage that only the running test uses. */
export type EngineStorage =
  | { engine: 'sqlite'; directory: string }
  | { engine: 'mongodb'; connection: MongoConnection };

/** What a contract suite is told about the engine it runs on. */
export interface Engine {
  name: EngineStorage['engine'];
  /** The storage of the test that is running; for use in hooks and tests, not while they are declared. */
  storage(): EngineStorage;
}

/**
 * Declares the same suite once for each engine, every test with fresh storage
 * that is removed afterwards (after the suite's own `afterEach`, which closes
 * what it opened). Where there is no MongoDB server its half is skipped, and the
 * name of the skipped suite says why.
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
