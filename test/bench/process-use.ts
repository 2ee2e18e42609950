import type { RunningService } from '../support/running-service.ts';

/** What a process has used so far, and holds now. */
export interface ProcessUse {
  processorMs: number;
  residentBytes: number;
}

/** Reads it from the metrics of a service that is one process. */
export async function processUse({ metricsUrl }: Pick<RunningService, 'metricsUrl'>): Promise<ProcessUse> {
  const metrics = await (await fetch(metricsUrl)).text();
  const read = (name: string): number => {
    const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1];
    if (value === undefined) throw new Error(`${metricsUrl} does not tell ${name}`);
    return Number(value);
  };
  return {
    processorMs: read('process_cpu_seconds_total') * 1000,
    residentBytes: read('process_resident_memory_bytes'),
  };
}
