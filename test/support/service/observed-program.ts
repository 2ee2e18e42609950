import { type ModelServer, startModelServer } from '@teammemory/testkit/model-server.ts';
import { startTraceCollector, type TraceCollector } from '@teammemory/testkit/trace-collector.ts';
import { type ServiceOptions, type StartedService, startService } from './running-service.ts';

/** Key of the model server, which the service must keep to itself. */
export const modelKey = 'sk-observed-0123456789abcdef';

/** The program with everything on that tells about it. */
export interface ObservedProgram {
  service: StartedService;
  collector: TraceCollector;
  model: ModelServer;
  /** Metrics as they are now. */
  metrics(): Promise<string>;
  /** Lines of its log so far. */
  log(): Record<string, unknown>[];
  remove(): Promise<void>;
}

/** Starts the program with debug log, traces to a collector of this machine, and a model. */
export async function startObservedProgram(options: ServiceOptions = {}): Promise<ObservedProgram> {
  const collector = await startTraceCollector();
  const model = await startModelServer((reply) => reply.finish());
  const environment = {
    LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OPENAI_API_KEY: modelKey,
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'writer',
    MODEL_PRICES: '{"writer":{"input":1,"output":1}}',
    ITEM_WRITES_PER_MINUTE: '50',
    QUESTIONS_PER_MINUTE: '1000',
  };
  const service = await startService({ ...options, environment });
  return {
    service,
    collector,
    model,
    metrics: async () => (await fetch(service.metricsUrl)).text(),
    log: () => linesOf(service.output().stderr),
    async remove() {
      await service.remove();
      await model.stop();
      await collector.stop();
    },
  };
}

function linesOf(stderr: string): Record<string, unknown>[] {
  return stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
