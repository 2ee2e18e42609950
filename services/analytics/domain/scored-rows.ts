/** What scans and snapshots have in common, so that their history can be scored again. */
export interface ScoredRow {
  /** UUID version 7. */
  id: string;
  /** Version of the score or rubric that rated it. */
  version: number;
  /** 1 when new, one more each time that it is replaced. */
  revision: number;
}

/** A new score for a row, good only for the revision that it was computed from. */
export type Rescored<Score> = ScoredRow & Score;

/** A position among a team's rows in the order of version and id. */
export type VersionPosition = Pick<ScoredRow, 'version' | 'id'>;

/** Levels of readiness and of maturity, lowest first. */
export const levels = ['L0', 'L1', 'L2', 'L3', 'L4', 'L5'] as const;

export type Level = (typeof levels)[number];

/** Whether a text from outside is a level, spelled exactly so. */
export function isLevel(text: string): text is Level {
  return (levels as readonly string[]).includes(text);
}

/**
 * What binary fractions may be off after the few operations of a score, with
 * room to spare: 45 times 0.35 is 15.749999999999998, and means 15.75.
 */
const tolerance = 1e-9;

/** Rounds a number from 0 on to `decimals` places; a half goes up, as on paper. */
export function roundHalfUp(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.floor(value * scale + 0.5 + tolerance) / scale;
}
