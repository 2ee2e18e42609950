import { inject } from 'vitest';

/** A MongoDB server that answers at `url`, or the reason why these tests have none. */
export type MongoServer = { name: string; url: string } | { reason: string };

declare module 'vitest' {
  interface ProvidedContext {
    mongoServer: MongoServer;
  }
}

/** The MongoDB server of this test run, started once by the global setup and gone at the end. */
export function mongoServerForTests(): MongoServer {
  return inject('mongoServer') ?? { reason: 'vitest.config.ts starts none for this package' };
}
