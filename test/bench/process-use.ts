import { readMetric } from '../support/service/read-metric.ts';
import type { RunningService } from '../support/service/running-service.ts';

/** What a process has used so far, and holds now. */
export interface ProcessUse {
  processorMs: number;
  residentBytes: number;
}

/** Reads it from the metrics of a service that is one process. */
export async function processUse({ metricsUrl }: Pick<RunningService, 'metricsUrl'>): Promise<ProcessUse> {
  return {
    processorMs: 1000 * (await readMetric(metricsUrl, 'process_cpu_seconds_total')),
    residentBytes: await readMetric(metricsUrl, 'process_resident_memory_bytes'),
  };
}
