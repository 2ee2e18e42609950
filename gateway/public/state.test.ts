import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createCompressor } from '../encoding/compress-answers.ts';
import { publicRoutes } from './routes.ts';

const compressor = createCompressor({ metrics: createMetrics() });
const up = async () => undefined;
const down = async () => {
  throw new Error('no answer');
};

/** Answers of a gateway whose checks say this. */
async function stateOf(options: Omit<Parameters<typeof publicRoutes>[0], 'compressor'>) {
  const app = Fastify();
  app.register(publicRoutes({ compressor, ...options }));
  const [live, ready] = await Promise.all(['/livez', '/readyz'].map((url) => app.inject(url)));
  await app.close();
  return { live: live?.statusCode, ready: ready?.statusCode, body: ready?.json() };
}

test('a gateway whose parts all answer is ready', async () => {
  const readiness = { auth: up, content: up, gateway: up };
  expect(await stateOf({ readiness })).toEqual({ live: 200, ready: 200, body: { status: 'ready' } });
});

test('a part that does not answer is named, and the gateway stays ready for the others', async () => {
  const readiness = { auth: up, content: down, gateway: up };
  const body = { status: 'ready', degraded: ['content'] };
  expect(await stateOf({ readiness })).toEqual({ live: 200, ready: 200, body });
});

test('a full disk is told beside the parts that do not answer, and takes no gateway out of service', async () => {
  const limitations = () => ['disk full'];
  const whole = { status: 'ready', degraded: ['disk full'] };
  const readiness = { auth: up, content: up, gateway: up };
  expect(await stateOf({ readiness, limitations })).toEqual({ live: 200, ready: 200, body: whole });
  const without = { ...readiness, content: down };
  const body = { status: 'ready', degraded: ['content', 'disk full'] };
  expect(await stateOf({ readiness: without, limitations })).toMatchObject({ ready: 200, body });
});

test('a gateway that reaches nobody is not ready', async () => {
  const readiness = { auth: down, content: down, gateway: up };
  const body = { code: 'unavailable', missing: ['auth', 'content'] };
  expect(await stateOf({ readiness })).toMatchObject({ live: 200, ready: 503, body });
});

test('a gateway that cannot work itself is not ready, and one that stops is not live either', async () => {
  const readiness = { auth: up, content: up, gateway: down };
  const body = { missing: ['gateway'] };
  expect(await stateOf({ readiness })).toMatchObject({ live: 200, ready: 503, body });
  expect(await stateOf({ readiness, isLive: () => false })).toMatchObject({ live: 503, ready: 503, body });
});
