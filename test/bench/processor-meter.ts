import type { RunningService } from '../support/running-service.ts';
import type { LoadResult } from './load-generator.ts';

/** Reads the milliseconds of processor time that processes have used so far, by name. */
export type ReadProcessors = () => Promise<Record<string, number>>;

/** Adds up what processes use while they are loaded. */
export interface ProcessorMeter {
  during(load: () => Promise<LoadResult>): Promise<LoadResult>;
  /** Milliseconds per answer, by process, over all loads. */
  perAnswer(): Record<string, number>;
}

/** Makes a meter of these processes. */
export function createProcessorMeter(read: ReadProcessors): ProcessorMeter {
  const used: Record<string, number> = {};
  let answers = 0;
  return {
    async during(load) {
      const before = await read();
      const result = await load();
      const after = await read();
      for (const [name, milliseconds] of Object.entries(after)) {
        used[name] = (used[name] ?? 0) + milliseconds - (before[name] ?? 0);
      }
      answers += result.answers;
      return result;
    },
    perAnswer: () =>
      Object.fromEntries(Object.entries(used).map(([name, milliseconds]) => [name, milliseconds / answers])),
  };
}

/** Reads the processes of a running service, each by its own metrics, named as its log names it. */
export function processorsOf({ output }: Pick<RunningService, 'output'>): ReadProcessors {
  const started = output()
    .stderr.split('\n')
    .filter((line) => line.includes('"msg":"started"'))
    .map((line) => JSON.parse(line))
    .filter(({ addresses }) => addresses.metrics !== undefined);
  return async () => {
    const read = started.map(async ({ part, addresses }) => [part, await processorMs(addresses.metrics)]);
    return Object.fromEntries(await Promise.all(read));
  };
}

async function processorMs(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const seconds = /^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error(`${metricsUrl} does not tell the processor time`);
  return Number(seconds) * 1000;
}
