import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createRollingWindow } from '@teammemory/admission/rolling-window.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clients } from '../clients.ts';
import type { RouteDependencies } from '../route-dependencies.ts';
import { askQuestion, searchRoute } from './routes.ts';

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
    unary: async (_audience, { signal }) => ({ ...(signal === undefined ? {} : { signal }) }),
    async search(_input, { signal = AbortSignal.abort() } = {}) {
      asked.push(signal);
      signal.throwIfAborted();
      await once(signal, 'abort');
      throw signal.reason;
    },
  };
  const openAnswer = () => {
    open += 1;
    return () => {
      open -= 1;
    };
  };
  const questions = createRollingWindow({ clock: () => performance.now(), limit: 60 });
  const searches = questions;
  const overdue = new AbortController().signal;
  const context = { clients, overdue, openAnswer, questions, searches } as Partial<RouteDependencies>;
  app = Fastify();
  app.addHook('preHandler', async (request, reply) => {
    request.caller = { teamId: 'team', keyId: 'key' } as typeof request.caller;
    request.reading = { release: () => undefined } as typeof request.reading;
    await before(once(reply.raw, 'close'));
  });
  app.post('/query', askQuestion(context as RouteDependencies));
  app.get('/search', searchRoute(context as RouteDependencies));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

const requests = [
  { what: 'the answer', method: 'POST', path: '/query', body: '{"q":"When?"}' },
  { what: 'the passages', method: 'GET', path: '/search?q=When', body: '' },
];

/** Sends a request, and goes away once `when` is true. */
async function sendAndLeave(
  { method, path, body }: (typeof requests)[number],
  when: () => boolean,
): Promise<void> {
  const { port } = app.server.address() as { port: number };
  const headers = body === '' ? {} : { 'content-type': 'application/json' };
  const request = httpRequest({ host: '127.0.0.1', port, path, method, headers });
  request.on('error', () => undefined).end(body);
  await eventually('the time to leave', when);
  request.destroy();
}

test.for(requests)(
  'a reader who goes away while waiting for $what cancels the work and releases its permit',
  async (request) => {
    await sendAndLeave(request, () => asked.length === 1);
    await eventually('the end', () => asked[0]?.aborted === true && open === 0);
  },
);

test.for(requests)('a reader who was gone before the route began gets $what never', async (request) => {
  let isWaiting = false;
  before = (close) => {
    isWaiting = true;
    return close;
  };
  await sendAndLeave(request, () => isWaiting);
  await eventually('the question', () => asked.length === 1);
  expect(asked[0]?.aborted).toBe(true);
  await eventually('the end', () => open === 0);
});
