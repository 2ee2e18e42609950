import { context, propagation } from '@opentelemetry/api';
import { within } from '@teammemory/async/bounded-wait.ts';
import { processInstance } from '@teammemory/log/log.ts';
import { traceWith } from './span.ts';

/** Spans go out in batches this often, and at the end. */
const exportEveryMs = 2_000;
/** A collector that takes longer has failed; spans are dropped rather than kept. */
const exportTimeoutMs = 5_000;
/** Finished spans that wait to be sent; more are dropped. */
const maxQueueSize = 4_096;

/** The tracing of a process. */
export interface Tracing {
  /** Sends what is left, within a bound. */
  close(): Promise<void>;
}

/**
 * Sends the spans of this process to an OTLP collector over HTTP (`/v1/traces`
 * below `endpoint`, as OTEL_EXPORTER_OTLP_ENDPOINT is defined). Without an
 * endpoint nothing is loaded, and spans cost next to nothing.
 */
export async function startTracing(options: {
  part: string;
  endpoint: string | undefined;
}): Promise<Tracing> {
  const { part, endpoint } = options;
  if (endpoint === undefined) return { close: async () => undefined };
  const [
    sdk,
    { OTLPTraceExporter },
    { AsyncLocalStorageContextManager },
    { W3CTraceContextPropagator },
    resources,
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
  ]);
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs });
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': `team-memory-${part}`,
      'service.instance.id': processInstance,
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter, maxQueueSize, scheduledDelayMillis: exportEveryMs }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  traceWith(provider.getTracer('team-memory'));
  return {
    async close() {
      await within(
        provider.shutdown().catch(() => undefined),
        exportTimeoutMs,
      );
      traceWith(undefined);
      for (const api of [context, propagation]) api.disable();
    },
  };
}
