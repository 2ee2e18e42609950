import { randomUUID } from 'node:crypto';
import { connectMongo, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { afterEach, beforeEach, describe } from 'vitest';
import { mongoServerForTests } from './mongo-server.ts';
import { temporaryDirectory } from './temporary-directory.ts';

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
  describe(`${name} on SQLite`, () => declareWith('sqlite', sqliteStorage, declareTests));
  const server = mongoServerForTests();
  if ('reason' in server) {
    describe.skip(`${name} on MongoDB (skipped: ${server.reason})`, () => {
      declareWith('mongodb', () => mongoStorage(''), declareTests);
    });
    return;
  }
  describe(`${name} on MongoDB`, () => declareWith('mongodb', () => mongoStorage(server.url), declareTests));
}

interface OpenStorage {
  storage: EngineStorage;
  remove(): Promise<void>;
}

function declareWith(
  name: Engine['name'],
  open: () => Promise<OpenStorage>,
  declareTests: (engine: Engine) => void,
): void {
  let current: OpenStorage | undefined;
  beforeEach(async () => {
    current = await open();
  });
  afterEach(async () => {
    await current?.remove();
    current = undefined;
  });
  declareTests({
    name,
    storage() {
      if (current === undefined) throw new Error('storage() is there only while a test runs');
      return current.storage;
    },
  });
}

async function sqliteStorage(): Promise<OpenStorage> {
  const directory = await temporaryDirectory();
  return { storage: { engine: 'sqlite', directory: directory.path }, remove: directory.remove };
}

async function mongoStorage(url: string): Promise<OpenStorage> {
  const connection = await connectMongo({ url, database: `test_${randomUUID().replaceAll('-', '')}` });
  return {
    storage: { engine: 'mongodb', connection },
    async remove() {
      // What is left behind on a server that is too busy to drop it harms no other test: names are random.
      await connection.call((deadline) => connection.db.dropDatabase(deadline)).catch(() => undefined);
      await connection.close();
    },
  };
}
