import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachWithin, inSpan, openSpan, traceparent, within } from './span.ts';
import { startTracing } from './start-tracing.ts';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status?: { code?: number; message?: string };
}
const received: { service: string; spans: Span[] }[] = [];
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
  for (const { resource, scopeSpans } of resourceSpans) {
    const name = resource.attributes.find(({ key }: { key: string }) => key === 'service.name');
    received.push({
      service: `${request.url} ${name.value.stringValue}`,
      spans: scopeSpans.flatMap(({ spans }: { spans: Span[] }) => spans),
    });
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterAll(() => collector.close());
const endpoint = () => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

test('without an endpoint nothing is sent, no header is added, and work goes on as it is', async () => {
  const tracing = await startTracing({ part: 'content', endpoint: undefined });
  expect(await inSpan('work', 'internal', async () => traceparent())).toBeUndefined();
  await tracing.close();
  expect(received).toEqual([]);
});

test('steps in two processes are one trace, sent at the latest when the process ends', async () => {
  const tracing = await startTracing({ part: 'content', endpoint: endpoint() });
  const first = openSpan('GET /items', 'server', { traceparent: undefined });
  const header = within(first, traceparent);
  expect(header).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  const second = openSpan('ListItems', 'server', { traceparent: header });
  await within(second, () => inSpan('mongodb', 'client', async () => undefined));
  second.end();
  first.end();
  await tracing.close();
  const spans = received.splice(0).flatMap(({ service, spans }) => {
    expect(service).toBe('/v1/traces team-memory-content');
    return spans;
  });
  const byName = Object.fromEntries(spans.map((span) => [span.name, span]));
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(byName.ListItems?.parentSpanId).toBe(byName['GET /items']?.spanId);
  expect(byName.mongodb?.parentSpanId).toBe(byName.ListItems?.spanId);
});

test('what a stream does is part of the step that it belongs to', async () => {
  const tracing = await startTracing({ part: 'query', endpoint: endpoint() });
  const answer = openSpan('Ask', 'server');
  async function* words() {
    yield 'one';
    yield await inSpan('mongodb', 'client', async () => 'two');
  }
  expect(await Array.fromAsync(eachWithin(answer, words()))).toEqual(['one', 'two']);
  answer.end();
  await tracing.close();
  const spans = received.splice(0).flatMap(({ spans }) => spans);
  const byName = Object.fromEntries(spans.map((span) => [span.name, span]));
  expect(byName.mongodb?.parentSpanId).toBe(byName.Ask?.spanId);
});

test('what is no traceparent begins a trace of its own', async () => {
  const tracing = await startTracing({ part: 'gateway', endpoint: endpoint() });
  openSpan('GET /items', 'server', { traceparent: 'canary' }).end();
  await tracing.close();
  const [span] = received.splice(0).flatMap(({ spans }) => spans);
  expect(span?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(JSON.stringify(span)).not.toContain('canary');
});

test('a step that fails is marked by the name of its error, never by its message', async () => {
  const tracing = await startTracing({ part: 'auth', endpoint: endpoint() });
  const fail = async () => {
    throw Object.assign(new Error('the canary'), { code: 'unavailable' });
  };
  await expect(inSpan('work', 'internal', fail)).rejects.toThrow('the canary');
  await tracing.close();
  expect(received.flatMap(({ spans }) => spans.map(({ status }) => status))).toEqual([
    { code: 2, message: 'unavailable' },
  ]);
  expect(JSON.stringify(received.splice(0))).not.toContain('canary');
});

test('a collector that is gone holds nobody up', async () => {
  const tracing = await startTracing({ part: 'auth', endpoint: 'http://127.0.0.1:9' });
  await inSpan('work', 'internal', async () => undefined);
  await tracing.close();
});
