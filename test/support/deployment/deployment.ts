import { type MongoServer, mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { startRedisServer } from '@teammemory/testkit/redis-server.ts';

/** Which program the tests start, and what it needs beside what every test gives it. */
export interface Deployment {
  /** From the repository's root, or absolute. */
  program: string;
  environment: Record<string, string>;
  /** Another Node than the one of the tests. */
  node?: string | undefined;
  /** Where a test does not name a server itself. */
  mongodbUrl?: string;
  /** Ends what was started for it. */
  remove(): Promise<void>;
}

/** Whether each part runs in a process of its own, on MongoDB and Redis: `npm run test:separate`. */
export const partsAreSeparate = process.env.TEST_DEPLOYMENT === 'separate';

/** Whether the run is about the package, whose modules have other names: `npm run test:bundle`. */
export const packageIsTested = process.env.TEST_PROGRAM !== undefined;

/** Everything in one process, unless the run is about separate ones, or, as `npm run test:bundle`, about the package. */
export async function prepareDeployment(): Promise<Deployment> {
  if (partsAreSeparate) return separateParts(mongoServerForTests());
  const { TEST_PROGRAM: program = 'services/all/main.ts', TEST_NODE: node } = process.env;
  return { program, node, environment: {}, remove: async () => undefined };
}

/** Two gateways, two content processes and one of each other part. @throws Error where there is no MongoDB server. */
export async function separateParts(mongodb: MongoServer): Promise<Deployment> {
  if ('reason' in mongodb) throw new Error(mongodb.reason);
  const redis = await startRedisServer();
  return {
    program: 'services/separate/main.ts',
    environment: { REDIS_URL: redis.url, GATEWAYS: '2', CONTENTS: '2' },
    mongodbUrl: mongodb.url,
    remove: redis.remove,
  };
}
