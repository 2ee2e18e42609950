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

/** A place among a team's rows in the order of version and id. */
export type VersionPosition = Pick<ScoredRow, 'version' | 'id'>;
