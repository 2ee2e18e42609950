import { readMetric } from '../support/service/read-metric.ts';
import type { RunningService } from '../support/service/running-service.ts';

/** Milliseconds of processor time by process. */
export type ProcessorTime = Record<string, number>;

/** Reads what each process of a running service has used so far by its own metrics, named as its log names it. */
export function processorsOf({ output }: Pick<RunningService, 'output'>): () => Promise<ProcessorTime> {
  const started = output()
    .stderr.split('\n')
    .filter((line) => line.includes('"msg":"started"'))
    .map((line) => JSON.parse(line))
    .filter(({ addresses }) => addresses.metrics !== undefined);
  return async () => {
    const read = started.map(async ({ part, addresses }) => [part, await readMs(addresses.metrics)]);
    return Object.fromEntries(await Promise.all(read));
  };
}

async function readMs(metricsUrl: string): Promise<number> {
  return 1000 * (await readMetric(metricsUrl, 'process_cpu_seconds_total'));
}
