import { once } from 'node:events';
import { constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createContextValues } from '@connectrpc/connect';
import { createMetrics } from '@teammemory/telemetry/metrics.ts';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { expect, onTestFinished, test } from 'vitest';
import { appErrorFromRpc } from '../error-translation.ts';
import { listenOnly, serveQueries } from '../server/query-server.fixture.ts';
import { startServerProcess } from '../server/server-process.fixture.ts';
import { repeatedKey } from './network-transport.ts';
import { codeOf, connectTo, readStream, whoAnswers } from './query-client.fixture.ts';

/** Until there is an open connection to each of two processes: only a call on one has reached somebody. */
async function untilBothAnswer(query: Parameters<typeof whoAnswers>[0]): Promise<void> {
  await eventually('both have answered', async () => {
    const answers = await Promise.all([whoAnswers(query), whoAnswers(query)]);
    return new Set(answers).size === 2;
  });
}

/** Calls again and again, so many at a time, until the answer is called, or the test has ended however it did. */
function keepCalling(callers: number, call: () => Promise<void>): () => Promise<void> {
  let isOver = false;
  const calling = Array.from({ length: callers }, async () => {
    while (!isOver) await call();
  });
  const stop = async () => {
    isOver = true;
    await Promise.all(calling);
  };
  onTestFinished(stop);
  return stop;
}

test('a process that cannot be reached costs no call, and gets calls again when it is back', async () => {
  const [a, b] = [await startServerProcess('a'), await serveQueries('b')];
  await a.end('SIGKILL');
  const { query, transport } = connectTo([a.url, b.url]);
  await transport.ready();
  const answers = await Promise.all(Array.from({ length: 50 }, () => whoAnswers(query)));
  expect(new Set(answers)).toEqual(new Set(['b']));
  await startServerProcess('a again', a.port);
  await eventually('the way back', async () => (await whoAnswers(query)) === 'a again');
});

test('with no process left a call fails at once, as unavailable, and says nothing of the network', async () => {
  const a = await startServerProcess('a');
  await a.end('SIGKILL');
  const { query, transport } = connectTo([a.url]);
  await expect(transport.ready()).rejects.toMatchObject({ code: 'unavailable' });
  const startedMs = performance.now();
  const error = await query.search({}).catch(appErrorFromRpc);
  expect(error).toMatchObject({ code: 'unavailable', message: 'A part of the service cannot be reached.' });
  expect(await codeOf(readStream(query, 'q'))).toBe('unavailable');
  // Less than connecting may take: neither call has waited for somebody to come.
  expect(performance.now() - startedMs).toBeLessThan(4_000);
});

test('when a process is killed under load, no call fails that may run twice', async () => {
  const [a, b] = [await startServerProcess('a'), await serveQueries('b')];
  const metrics = createMetrics();
  const { query } = connectTo([a.url, b.url], { metrics });
  const codes: string[] = [];
  const stop = keepCalling(20, async () => {
    codes.push(await codeOf(query.search({})));
  });
  await eventually('calls under way', () => codes.length > 200);
  await a.end('SIGKILL');
  const atKill = codes.length;
  await eventually('calls after it', () => codes.length > atKill + 200);
  await stop();
  expect(codes.filter((code) => code !== 'ok')).toEqual([]);
  expect(await metrics.registry.metrics()).toContain('event="connection_failed"');
});

test('a call that may have run and may not run twice fails when its process is killed', async () => {
  const [a, b] = [await startServerProcess('a'), await serveQueries('b')];
  const { query, content } = connectTo([a.url, b.url]);
  await untilBothAnswer(query);
  const cancel = new AbortController();
  const hang = () => codeOf(content.createDecision({ decision: { title: 'hang' } }, cancel));
  const calls = [hang(), hang()];
  await eventually('one of them with b', () => b.count.hanging === 1);
  expect(await codeOf(content.createDecision({}))).toBe('ok');
  await a.end('SIGKILL');
  expect(await Promise.race(calls)).toBe('unavailable');
  expect(b.count.hanging).toBe(1);
  cancel.abort();
  expect((await Promise.all(calls)).toSorted()).toEqual(['cancelled', 'unavailable']);
});

test('a call that may have run before says so, and one that reached nobody does not', async () => {
  const [a, b] = [await startServerProcess('a'), await serveQueries('b')];
  const { query } = connectTo([a.url, b.url]);
  await untilBothAnswer(query);
  const cancel = new AbortController();
  const values = [createContextValues(), createContextValues()];
  const calls = values.map((contextValues) =>
    codeOf(query.search({ question: 'hang' }, { signal: cancel.signal, contextValues })),
  );
  await eventually('one of them with b', () => b.count.hanging === 1);
  await a.end('SIGKILL');
  await eventually('both with b', () => b.count.hanging === 2);
  expect(values.map((one) => one.get(repeatedKey)).toSorted()).toEqual([false, true]);
  cancel.abort();
  await Promise.all(calls);
  const unreached = [createContextValues(), createContextValues()];
  await Promise.all(unreached.map((contextValues) => whoAnswers(query, { contextValues })));
  expect(unreached.map((one) => one.get(repeatedKey))).toEqual([false, false]);
});

test('while processes are restarted in turn under load, no call fails', async () => {
  const processes = [await startServerProcess('a'), await startServerProcess('b')];
  const { query, content } = connectTo(processes.map(({ url }) => url));
  const codes: string[] = [];
  const stop = keepCalling(10, async () => {
    codes.push(await codeOf(content.createDecision({ decision: { title: 'q' } })));
    codes.push(await codeOf(readStream(query, 'q')));
  });
  for (const [index, process] of processes.entries()) {
    const successor = `again ${index}`;
    expect(await process.end('SIGTERM')).toBe(0);
    await startServerProcess(successor, process.port);
    await eventually('the way back', async () => (await whoAnswers(query)) === successor);
  }
  await stop();
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((code) => code !== 'ok')).toEqual([]);
});

test('a process that accepts connections and never answers holds a call no longer than connecting may take', async () => {
  const hung = await listenOnly();
  const alone = connectTo([hung.url]);
  const startedMs = performance.now();
  expect(await codeOf(alone.query.search({}))).toBe('unavailable');
  expect(performance.now() - startedMs).toBeLessThan(8_000);

  const { query } = connectTo([hung.url, (await serveQueries('b')).url]);
  expect(await Promise.all([1, 2, 3, 4].map(() => whoAnswers(query)))).toEqual(['b', 'b', 'b', 'b']);
});

test('a deadline holds while connecting, and with a process that hangs later', async () => {
  const hung = await listenOnly();
  expect(await codeOf(connectTo([hung.url]).query.search({}, { timeoutMs: 50 }))).toBe('unavailable');

  const frozen = await startServerProcess('a');
  const { query, transport } = connectTo([frozen.url]);
  await transport.ready();
  frozen.freeze();
  const startedMs = performance.now();
  expect(await codeOf(query.search({}, { timeoutMs: 200 }))).toBe('unavailable');
  expect(performance.now() - startedMs).toBeLessThan(8_000);
});

test('a connection that a process hangs on is given up, and calls go to others', {
  timeout: 40_000,
}, async () => {
  const [frozen, b] = [await startServerProcess('a'), await serveQueries('b')];
  const { query } = connectTo([frozen.url, b.url]);
  await Promise.all([whoAnswers(query), whoAnswers(query)]);
  frozen.freeze();
  // It may run twice, and is therefore sent to the other process when the connection is cut.
  const calls = [whoAnswers(query), whoAnswers(query)];
  expect(await Promise.all(calls)).toEqual(['b', 'b']);
});

test.each([
  ['with its stream alone, before a handler saw it, is made again', 'stream', 3],
  ['with the whole connection may have run, and is not', 'connection', 1],
] as const)('a call that is refused %s', async (_, refused, times) => {
  let asked = 0;
  const server = createServer().on('stream', (stream) => {
    asked += 1;
    stream.on('error', () => undefined);
    if (refused === 'stream') stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    else stream.session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { content } = connectTo([`http://127.0.0.1:${(server.address() as AddressInfo).port}`]);
  expect(await codeOf(content.createDecision({}))).toBe('unavailable');
  expect(asked).toBe(times);
});
