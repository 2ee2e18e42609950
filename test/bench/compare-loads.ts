import type { LoadResult } from './load-generator.ts';
import type { ProcessorTime } from './processor-time.ts';
import { interleavedRounds, type Rounds } from './rounds.ts';

/** One side of a comparison. */
export interface Contestant {
  load(): Promise<LoadResult>;
  /** Reads what its processes have used so far. */
  processors(): Promise<ProcessorTime>;
}

/** Answers per second of both sides, and what an answer costs each of their processes. */
export interface ComparedLoads extends Rounds {
  processorMs: { ours: ProcessorTime; theirs: ProcessorTime };
}

/** Loads both sides in turn, after each was warmed up once. */
export async function compareLoads(
  rounds: number,
  ours: Contestant,
  theirs: Contestant,
): Promise<ComparedLoads> {
  await ours.load();
  await theirs.load();
  const meters = { ours: meteredRate(ours), theirs: meteredRate(theirs) };
  const medians = await interleavedRounds(rounds, meters.ours.rate, meters.theirs.rate);
  return {
    ...medians,
    processorMs: { ours: meters.ours.perAnswer(), theirs: meters.theirs.perAnswer() },
  };
}

/** The rate of a load, and the processor time per answer over all rounds. */
function meteredRate({ load, processors }: Contestant) {
  const used: ProcessorTime = {};
  let answers = 0;
  return {
    async rate() {
      const before = await processors();
      const result = await load();
      const after = await processors();
      for (const [name, milliseconds] of Object.entries(after)) {
        used[name] = (used[name] ?? 0) + milliseconds - (before[name] ?? 0);
      }
      answers += result.answers;
      return (result.answers / result.milliseconds) * 1000;
    },
    perAnswer: () =>
      Object.fromEntries(Object.entries(used).map(([name, milliseconds]) => [name, milliseconds / answers])),
  };
}
