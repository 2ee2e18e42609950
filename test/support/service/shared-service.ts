import { join, relative } from 'node:path';
import type { EngineStorage } from '@teammemory/testkit/describe-each-engine.ts';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { partsAreSeparate } from '../deployment/deployment.ts';
import { deploymentOfRun } from '../deployment/deployment-of-run.ts';
import { runsOverSeparateProcesses } from '../deployment/separate-test-files.ts';
import {
  type RunningService,
  type ServiceOptions,
  type StartedService,
  startService,
} from './running-service.ts';

/** Only tests about the limits are meant to meet them. */
export const plentyOfWrites = {
  ITEM_WRITES_PER_MINUTE: '100000',
  QUESTIONS_PER_MINUTE: '100000',
  SEARCHES_PER_MINUTE: '100000',
  SCANS_PER_MINUTE: '100000',
  SNAPSHOTS_PER_MINUTE: '100000',
};

/**
 * Starts the program once for all tests of a file or suite, and ends it after
 * them; where the run has one deployment for all who need no settings of their
 * own, that is used. What is answered gives the running service; for use in
 * hooks and tests.
 */
export function sharedService(options: ServiceOptions = {}): () => RunningService {
  let running: RunningService | undefined;
  let own: StartedService | undefined;
  beforeAll(async () => {
    const { environment, ...others } = options;
    if (environment === undefined && !('dataDirectory' in others)) running = deploymentOfRun();
    if (running !== undefined) return;
    own = await startService({ ...others, environment: { ...plentyOfWrites, ...environment } });
    running = own;
  });
  afterAll(async () => {
    await own?.remove();
  });
  return () => {
    if (running === undefined) throw new Error('the service runs only while tests do');
    return running;
  };
}

/**
 * Declares the same tests once for each engine behind the program, which is
 * started once for each. Without a MongoDB server its half is skipped, and the
 * name of the skipped suite says why. With TEST_MONGODB_SUITES=once, where
 * separate processes are tested as well, the half that runs there is left to them.
 */
export function describeEachService(
  name: string,
  declareTests: (service: () => RunningService) => void,
  options: ServiceOptions = {},
): void {
  describe(`${name}, on SQLite`, () => declareTests(sharedService(options)));
  if (process.env.TEST_MONGODB_SUITES === 'once' && !partsAreSeparate && isTestedSeparately()) return;
  const server = mongoServerForTests();
  if ('reason' in server) {
    describe.skip(`${name}, on MongoDB (skipped: ${server.reason})`, () =>
      declareTests(sharedService(options)));
    return;
  }
  describe(`${name}, on MongoDB`, () => declareTests(sharedService({ ...options, mongodbUrl: server.url })));
}

/** Whether `npm run test:separate` runs the suites on MongoDB of the file that is being read. */
function isTestedSeparately(): boolean {
  const { testPath = '' } = expect.getState();
  return runsOverSeparateProcesses(relative(join(import.meta.dirname, '../..'), testPath));
}

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
