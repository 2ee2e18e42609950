import { randomBytes } from 'node:crypto';
import { eventually } from '@teammemory/testkit/eventually.ts';
import { type CollectedSpan, startTraceCollector } from '@teammemory/testkit/trace-collector.ts';
import { afterAll, expect, test } from 'vitest';
import { partProcess } from '../support/deployment/part-process.ts';
import { api, item } from '../support/http/api.ts';
import { newTeam } from '../support/http/key-holder.ts';
import { sharedService } from '../support/service/shared-service.ts';

const collector = await startTraceCollector();
const service = sharedService({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint } });
afterAll(() => collector.stop());

test('one trace goes through the processes of gateway and service to MongoDB', async () => {
  const team = await newTeam(service());
  const traceId = randomBytes(16).toString('hex');
  const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
  await api(service(), team, team.teamKey, '/api/v1/items', { body: { items: [item('a.md')] }, headers });
  const spans = () => collector.spans.filter((span) => span.traceId === traceId);
  const parentOf = ({ parentSpanId }: CollectedSpan) => spans().find(({ spanId }) => spanId === parentSpanId);
  const path = (leaf: CollectedSpan | undefined): string[] =>
    leaf === undefined ? [] : [...path(parentOf(leaf)), `${leaf.service} ${leaf.name}`];
  const push = 'teammemory.content.v1.ContentService/PushItems';
  const wanted = [
    'team-memory-gateway POST /api/v1/items',
    `team-memory-gateway ${push}`,
    `team-memory-content ${push}`,
    'team-memory-content find items',
  ].join();
  await eventually('the spans of both processes', () => spans().some((span) => path(span).join() === wanted));
});

test('a gateway stays ready while a service hangs, and names it until it goes on', async () => {
  const missing = async () => {
    const answer = await fetch(`${service().url}/readyz`);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { degraded?: string[] }).degraded;
  };
  await eventually('all parts', async () => (await missing()) === undefined);
  const { pid } = partProcess(service(), 'analytics-1');
  process.kill(pid, 'SIGSTOP');
  try {
    await eventually('it alone is missing', async () => String(await missing()) === 'analytics');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await eventually('the part that was missing', async () => (await missing()) === undefined);
});
