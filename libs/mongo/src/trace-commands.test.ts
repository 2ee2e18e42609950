import { randomUUID } from 'node:crypto';
import { inSpan } from '@teammemory/telemetry/span.ts';
import { startTracing } from '@teammemory/telemetry/start-tracing.ts';
import { mongoServerForTests } from '@teammemory/testkit/mongo-server.ts';
import { type CollectedSpan, startTraceCollector } from '@teammemory/testkit/trace-collector.ts';
import { describe, expect, test } from 'vitest';
import { connectMongo } from './mongo-connection.ts';

const server = mongoServerForTests();
const reason = 'reason' in server ? ` (skipped: ${server.reason})` : '';
const url = 'url' in server ? server.url : '';
const database = `test_${randomUUID().replaceAll('-', '')}`;

/** The spans of reads and writes inside a span `work`, and all that was sent to the collector. */
async function traceWork(): Promise<{ spans: CollectedSpan[]; text: string }> {
  const collector = await startTraceCollector();
  const tracing = await startTracing({ part: 'content', endpoint: collector.endpoint });
  const connection = await connectMongo({ url, database });
  const rows = connection.db.collection<{ _id: string }>('rows');
  await inSpan('work', 'internal', async () => {
    await connection.call((deadline) => rows.insertOne({ _id: 'canary' }, deadline));
    await connection.call((deadline) => rows.find({ _id: 'canary' }, deadline).toArray());
    await connection
      .call((deadline) => rows.findOne({ $canary: 1 } as never, deadline))
      .catch(() => undefined);
    await connection.ping();
  });
  await connection.db.dropDatabase();
  await connection.close();
  await tracing.close();
  await collector.stop();
  return { spans: collector.spans, text: collector.text() };
}

describe.skipIf(reason !== '')(`with tracing${reason}`, () => {
  test('each operation on a collection is a span of its trace, which says no value', async () => {
    const { spans, text } = await traceWork();
    const work = spans.find(({ name }) => name === 'work');
    const below = spans.filter(({ parentSpanId }) => parentSpanId === work?.spanId);
    expect(below.map(({ name }) => name)).toEqual(['insert rows', 'find rows', 'find rows']);
    expect(below.map(({ status }) => status?.code === 2)).toEqual([false, false, true]);
    expect(below[0]?.attributes).toEqual({
      'db.system.name': 'mongodb',
      'db.namespace': database,
      'db.collection.name': 'rows',
      'db.operation.name': 'insert',
    });
    expect(text).not.toContain('canary');
  });
});
