import { inject } from 'vitest';

/** A MongoDB server at `url`, or the reason why the tests have none. */
export type MongoServer = { name: string; url: string } | { reason: string };

declare module 'vitest' {
  interface ProvidedContext {
    mongoServer: MongoServer;
  }
}

/** Returns the MongoDB server of this test run, which the global setup starts once and ends with the run. */
export function mongoServerForTests(): MongoServer {
  return inject('mongoServer') ?? { reason: 'vitest.config.ts starts none for this package' };
}
