import type { Load, LoadResult } from './load-generator.ts';
import type { ProcessorTime } from './processor-time.ts';

/** One line of the result: a ratio within one run, which says more than figures of one machine on one day. */
export interface Measurement {
  name: string;
  ours: number;
  theirs: number;
  unit: string;
  ratio: number;
  /** Unset where the ratio is told, and nothing asked of it. */
  goal?: { atLeast: number } | { atMost: number };
  /** What an answer costs each process of both sides. */
  processorMs?: { ours: ProcessorTime; theirs: ProcessorTime };
}

/** What a measurement is given. */
export interface BenchContext {
  /** Shorter and smaller: shows that it runs, not what is to be believed. */
  quick: boolean;
  load(work: Load): Promise<LoadResult>;
}

/** Whether a ratio reaches its goal; undefined without one. */
export function goalIsMet({ ratio, goal }: Measurement): boolean | undefined {
  if (goal === undefined) return undefined;
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}
