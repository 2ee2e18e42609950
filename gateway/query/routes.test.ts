import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { eventually } from '@teammemory/testkit/eventually.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clients } from '../clients.ts';
import { createRollingWindow } from '../rate-limit/rolling-window.ts';
import { createWindowLedger } from '../rate-limit/window-ledger.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { askQuestion } from './routes.ts';

let app: FastifyInstance;
/** Runs before the route, like authentication. */
let before: (close: Promise<unknown>) => Promise<unknown>;
let asked: AbortSignal[];
let open: number;

beforeEach(async () => {
  [before, asked, open] = [() => Promise.resolve(), [], 0];
  const clients: Partial<Clients> = {
    stream: async (_audience, { signal }) => ({ ...(signal === undefined ? {} : { signal }) }),
    async ask(_input, { signal = AbortSignal.abort() }) {
      asked.push(signal);
      signal.throwIfAborted();
      const next = async () => {
        await once(signal, 'abort');
        throw signal.reason;
      };
      return { [Symbol.asyncIterator]: () => ({ next }) };
    },
  };
  const openAnswer = () => {
    open += 1;
    return () => {
      open -= 1;
    };
  };
  const ledger = createWindowLedger({ clock: () => performance.now(), limit: 60 });
  const questions = createRollingWindow({ limit: 60, ledger });
  const overdue = new AbortController().signal;
  const context = { clients, overdue, openAnswer, questions } as Partial<RouteDependencies>;
  app = Fastify();
  app.addHook('preHandler', async (request, reply) => {
    request.caller = { teamId: 'team', keyId: 'key' } as typeof request.caller;
    request.reading = { release: () => undefined } as typeof request.reading;
    await before(once(reply.raw, 'close'));
  });
  app.post('/query', askQuestion(context as RouteDependencies));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

/** Asks, and goes away once `when` is true. */
async function askAndLeave(when: () => boolean): Promise<void> {
  const { port } = app.server.address() as { port: number };
  const headers = { 'content-type': 'application/json' };
  const request = httpRequest({ host: '127.0.0.1', port, path: '/query', method: 'POST', headers });
  request.on('error', () => undefined).end('{"q":"When?"}');
  await eventually('the time to leave', when);
  request.destroy();
}

test('a reader who goes away while waiting for the answer cancels it and releases its permit', async () => {
  await askAndLeave(() => asked.length === 1);
  await eventually('the end', () => asked[0]?.aborted === true && open === 0);
});

test('a reader who was gone before the route began gets no answer worked out', async () => {
  let isWaiting = false;
  before = (close) => {
    isWaiting = true;
    return close;
  };
  await askAndLeave(() => isWaiting);
  await eventually('the question', () => asked.length === 1);
  expect(asked[0]?.aborted).toBe(true);
  await eventually('the end', () => open === 0);
});
