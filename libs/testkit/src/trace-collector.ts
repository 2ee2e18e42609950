import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as it was received. */
export interface CollectedSpan {
  /** `service.name` of the process that sent it. */
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Missing or empty for the first span of a trace. */
  parentSpanId?: string;
  /** Nanoseconds since the epoch. */
  endTimeUnixNano: string;
  status?: { code?: number; message?: string };
  attributes: Record<string, unknown>;
}

/** A server for OTLP over HTTP in JSON; `endpoint` is the value for OTEL_EXPORTER_OTLP_ENDPOINT. */
export interface TraceCollector {
  endpoint: string;
  /** All spans received so far. */
  spans: CollectedSpan[];
  /** Returns all bodies received so far, unparsed. */
  text(): string;
  stop(): Promise<void>;
}

/** Starts a collector on a free port of this machine. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  let text = '';
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    if (request.url === '/v1/traces') {
      text += body;
      spans.push(...spansIn(JSON.parse(body)));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => text,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: OTLP's JSON has types of its own
type Json = any;

function spansIn({ resourceSpans }: Json): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }: Json) => {
    const service = attributesOf(resource.attributes)['service.name'];
    const spans = scopeSpans.flatMap((scope: Json) => scope.spans);
    return spans.map((span: Json) => ({ ...span, service, attributes: attributesOf(span.attributes) }));
  });
}

/** Attributes come as `{ key, value: { <type>Value } }`. */
function attributesOf(list: { key: string; value: object }[]): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}
