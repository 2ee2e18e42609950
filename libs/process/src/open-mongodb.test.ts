import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { openMongodb } from './open-mongodb.ts';

/** The sentence that a start with this address ends with. */
const sentenceFor = (url: string) =>
  openMongodb({ url, database: 'd', metrics: createMetrics() }).then(
    () => 'connected',
    (error: Error) => error.message,
  );

test('an option that MongoDB does not have is named, as what is wrong with the setting', async () => {
  expect(await sentenceFor('mongodb://127.0.0.1:9/?maxPoolSiz=3')).toBe(
    'Bad setting: MONGODB_URL cannot be used: option maxpoolsiz is not supported.',
  );
});

test('a server that is not there is told by its address', async () => {
  expect(await sentenceFor('mongodb://127.0.0.1:9')).toBe(
    'MongoDB does not answer at the address in MONGODB_URL: connect ECONNREFUSED 127.0.0.1:9.',
  );
});

test.each([
  'mongodb://member:hunter@2two?canary=1@127.0.0.1:9',
  'mongodb://mem[canary:hunter@127.0.0.1:9',
  'mongodb://member:canary',
])('no part of a password is told, however its address is misread: %s', async (url) => {
  expect(await sentenceFor(url)).not.toMatch(/canary|hunter|member/);
});
