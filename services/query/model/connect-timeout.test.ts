import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOpenaiAnswerModel } from './openai-answer-model.ts';
import { createOpenaiEmbeddingModel } from './openai-embedding-model.ts';

/** The limit is 10 seconds, Node's own kept to within one; a loaded machine may take longer to notice. */
const limits = { leastMs: 9_000, mostMs: 25_000, testMs: 60_000 };

/** Listens and never accepts: the thread stands still from then on. */
const listener = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

let worker: Worker;
let waiting: Socket[];
let baseUrl: string;

beforeEach(async () => {
  worker = new Worker(listener, { eval: true });
  const [port] = await once(worker, 'message');
  baseUrl = `http://127.0.0.1:${port}/v1`;
  // The kernel takes as many connections as the backlog holds, and then answers no more.
  let taken = 0;
  waiting = Array.from({ length: 10 }, () => connect(port, '127.0.0.1').on('connect', () => (taken += 1)));
  let before = 0;
  const standsStill = () => {
    const isSame = taken > 0 && taken === before;
    before = taken;
    return isSame;
  };
  await eventually('the backlog is full', standsStill, { everyMs: 1_000 });
  expect(taken).toBeLessThan(waiting.length);
});
afterEach(async () => {
  for (const socket of waiting) socket.destroy();
  await worker.terminate();
});

test.runIf(process.platform === 'linux')(
  'a server that takes no connection is given up after some ten seconds, at no cost',
  async () => {
    const signal = new AbortController().signal;
    const writer = createOpenaiAnswerModel({ model: 'writer', baseUrl, apiKey: undefined });
    const embedder = createOpenaiEmbeddingModel({ model: 'embedder', baseUrl, apiKey: undefined });
    const startedMs = performance.now();
    const failures = await Promise.all(
      [
        writer.write({ system: '', user: 'Why?' }, { maxOutputTokens: 7, take: () => undefined, signal }),
        embedder.embed(['text'], signal),
      ].map((call) => call.then(String, (failure: unknown) => failure)),
    );
    const tookMs = performance.now() - startedMs;
    for (const failure of failures) {
      expect(failure).toMatchObject({ begun: false });
      expect(String((failure as Error).cause)).toContain('CONNECT_TIMEOUT');
    }
    expect(tookMs).toBeGreaterThan(limits.leastMs);
    expect(tookMs).toBeLessThan(limits.mostMs);
  },
  limits.testMs,
);
