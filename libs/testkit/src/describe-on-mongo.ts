import { randomUUID } from 'node:crypto';
import { connectMongo, type MongoConnection } from '@teammemory/mongo/mongo-connection.ts';
import { afterEach, beforeEach, describe } from 'vitest';
import { mongoServerForTests } from './mongo-server.ts';

/**
 * Declares a suite for MongoDB. Each test gets an empty database, which is dropped after the suite's own `afterEach`.
 * Call `connection()` in hooks and tests only. Without a server the suite is skipped, and its name says why.
 */
export function describeOnMongo(
  name: string,
  declareTests: (connection: () => MongoConnection) => void,
): void {
  const server = mongoServerForTests();
  const declareSuite = () => declareTests(databaseOfEachTest('url' in server ? server.url : ''));
  if ('url' in server) describe(`${name} on MongoDB`, declareSuite);
  else describe.skip(`${name} on MongoDB (skipped: ${server.reason})`, declareSuite);
}

function databaseOfEachTest(url: string): () => MongoConnection {
  let current: MongoConnection | undefined;
  const connection = () => {
    if (current === undefined) throw new Error('there is a database only while a test runs');
    return current;
  };
  beforeEach(async () => {
    current = await connectMongo({ url, database: `test_${randomUUID().replaceAll('-', '')}` });
  });
  afterEach(async () => {
    const { call, db, close } = connection();
    // A database that a busy server does not drop harms no other test: names are random.
    await call((deadline) => db.dropDatabase(deadline)).catch(() => undefined);
    await close();
    current = undefined;
  });
  return connection;
}
