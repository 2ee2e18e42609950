/**
 * How much a model-based test tries: a little and always the same, `MODEL_RUNS` times as much where that is set, and other
 * things with another `MODEL_SEED`.
 */
export function modelRuns(few: number): { numRuns: number; seed: number } {
  const { MODEL_RUNS = '1', MODEL_SEED = '20261127' } = process.env;
  return { numRuns: few * Number(MODEL_RUNS), seed: Number(MODEL_SEED) };
}

/** Of so many runs each may take so many milliseconds on a machine with much else to do. */
export function modelTimeoutMs({ numRuns }: { numRuns: number }): number {
  return 60_000 + numRuns * 500;
}
