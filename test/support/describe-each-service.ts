import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { describe } from 'vitest';
import type { RunningService, ServiceOptions } from './running-service.ts';
import { sharedService } from './shared-service.ts';

/**
 * Declares the same tests once for each engine behind the program, which is
 * started once for each. Without a MongoDB server its half is skipped, and the
 * name of the skipped suite says why.
 */
export function describeEachService(
  name: string,
  declareTests: (service: () => RunningService) => void,
  options: ServiceOptions = {},
): void {
  describe(`${name}, on SQLite`, () => declareTests(sharedService(options)));
  const server = mongoServerForTests();
  if ('reason' in server) {
    describe.skip(`${name}, on MongoDB (skipped: ${server.reason})`, () =>
      declareTests(sharedService(options)));
    return;
  }
  describe(`${name}, on MongoDB`, () => declareTests(sharedService({ ...options, mongodbUrl: server.url })));
}
