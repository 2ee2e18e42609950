import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createRollingWindow } from '@teammemory/admission/rolling-window.ts';
import type { AppError } from '@teammemory/errors/app-error.ts';
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
let overdue: AbortController;

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
  overdue = new AbortController();
  const context = { clients, overdue: overdue.signal, openAnswer, questions, searches };
  app = Fastify();
  app.setErrorHandler((error, _request, reply) => reply.code(503).send({ code: (error as AppError).code }));
  app.addHook('preHandler', async (request, reply) => {
    request.caller = { teamId: 'team', keyId: 'key' } as typeof request.caller;
    request.reading = { release: () => undefined } as typeof request.reading;
    await before(once(reply.raw, 'close'));
  });
  app.post('/query', askQuestion(context as Partial<RouteDependencies> as RouteDependencies));
  app.get('/search', searchRoute(context as Partial<RouteDependencies> as RouteDependencies));
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

test('a question that the end of the gateway cuts off before its answer begins is told so', async () => {
  const { port } = app.server.address() as { port: number };
  const answer = fetch(`http://127.0.0.1:${port}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"q":"When?"}',
  });
  await eventually('the question', () => asked.length === 1);
  overdue.abort();
  expect(await (await answer).json()).toEqual({ code: 'unavailable' });
});

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
