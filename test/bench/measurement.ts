import type { Load, LoadResult } from './load-generator.ts';

/** One line of the result: a ratio within one run, which says more than figures of one machine on one day. */
export interface Measurement {
  name: string;
  ours: number;
  theirs: number;
  unit: string;
  ratio: number;
  goal: { atLeast: number } | { atMost: number };
}

/** What a measurement is given. */
export interface BenchContext {
  /** Shorter and smaller: shows that it runs, not what is to be believed. */
  quick: boolean;
  load(work: Load): Promise<LoadResult>;
}

/** Whether a ratio reaches its goal. */
export function goalIsMet({ ratio, goal }: Measurement): boolean {
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}
