import { processInstance } from '@teammemory/log/log.ts';
import { startTraceCollector, type TraceCollector } from '@teammemory/testkit/trace-collector.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eachWithin, inSpan, openSpan, traceparent, within } from './span.ts';
import { startTracing } from './start-tracing.ts';

let collector: TraceCollector;
beforeEach(async () => {
  collector = await startTraceCollector();
});
afterEach(() => collector.stop());

const start = (part = 'content') => startTracing({ part, endpoint: collector.endpoint });
const span = (name: string) => collector.spans.find((one) => one.name === name);

test('without an endpoint no header is added, and work goes on as it is', async () => {
  const tracing = await startTracing({ part: 'content', endpoint: undefined });
  expect(await inSpan('work', 'internal', async () => traceparent())).toBeUndefined();
  await tracing.close();
});

test('steps in two processes are one trace, sent at the latest when the process ends', async () => {
  const tracing = await start();
  const first = openSpan('GET /items', 'server', { traceparent: undefined });
  const header = within(first, traceparent);
  expect(header).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  const second = openSpan('ListItems', 'server', { traceparent: header });
  await within(second, () => inSpan('find items', 'client', async () => undefined));
  second.end();
  first.end();
  await tracing.close();
  expect(new Set(collector.spans.map(({ service }) => service))).toEqual(new Set(['team-memory-content']));
  expect(collector.text()).toContain(processInstance);
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(span('ListItems')?.parentSpanId).toBe(span('GET /items')?.spanId);
  expect(span('find items')?.parentSpanId).toBe(span('ListItems')?.spanId);
});

test('what a stream does is part of the step that it belongs to', async () => {
  const tracing = await start();
  const answer = openSpan('Ask', 'server');
  async function* words() {
    yield 'one';
    yield await inSpan('find items', 'client', async () => 'two');
  }
  expect(await Array.fromAsync(eachWithin(answer, words()))).toEqual(['one', 'two']);
  answer.end();
  await tracing.close();
  expect(span('find items')?.parentSpanId).toBe(span('Ask')?.spanId);
});

test('a stream that is left before it was read is let go of', async () => {
  const tracing = await start();
  const answer = openSpan('Ask', 'server');
  let isLeft = false;
  const words = {
    next: async () => ({ done: false, value: 'one' }) as const,
    async return() {
      isLeft = true;
      return { done: true, value: undefined } as const;
    },
    [Symbol.asyncIterator]: () => words,
  };
  await eachWithin(answer, words).return?.();
  expect(isLeft).toBe(true);
  answer.end();
  await tracing.close();
});

test('what is no traceparent begins a trace of its own', async () => {
  const tracing = await start();
  openSpan('GET /items', 'server', { traceparent: 'canary' }).end();
  await tracing.close();
  expect(span('GET /items')?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(collector.text()).not.toContain('canary');
});

test('a step that fails is marked by the name of its error, never by its message', async () => {
  const tracing = await start();
  const fail = async () => {
    throw Object.assign(new Error('the canary'), { code: 'unavailable' });
  };
  await expect(inSpan('work', 'internal', fail)).rejects.toThrow('the canary');
  await tracing.close();
  expect(span('work')?.status).toEqual({ code: 2, message: 'unavailable' });
  expect(collector.text()).not.toContain('canary');
});

test('a collector that is gone holds nobody up', async () => {
  const tracing = await startTracing({ part: 'auth', endpoint: 'http://127.0.0.1:9' });
  await inSpan('work', 'internal', async () => undefined);
  await tracing.close();
});
