import { agenticScore, currentScoreVersion } from './agentic-score.ts';
import { explainedPlacement } from './placement.ts';
import { currentRubric } from './rubric.ts';
import type { ScanStore } from './scans.ts';
import type { ScoredRow, VersionPosition } from './scored-rows.ts';
import type { SnapshotStore } from './snapshots.ts';

const defaultPageSize = 50;
/** One call scores and writes so many rows in well under a second. */
export const maxPageSize = 200;

/** The result of scoring a page again. */
export interface RescoredPage {
  /** Rows that have a new score; one that was replaced meanwhile has its own. */
  rescored: number;
  /** Where the next page begins; undefined on the last. */
  next: VersionPosition | undefined;
}

/** The page of rows to score again. */
export interface RescorePage {
  /** Undefined: from the first on. */
  after: VersionPosition | undefined;
  /** 0 for the default. */
  pageSize: number;
}

/** Rates scans again that an older version of the score rated. */
export function rescoreScans(
  { scans }: { scans: ScanStore },
  teamId: string,
  page: RescorePage,
): Promise<RescoredPage> {
  return rescorePage(
    page,
    (after, limit) => scans.ratedBefore(teamId, currentScoreVersion, after, limit),
    (old) =>
      scans.rescore(
        teamId,
        old.map(({ id, revision, metrics }) => {
          const { score } = agenticScore(currentScoreVersion, metrics);
          return { id, revision, version: currentScoreVersion, agenticScore: score };
        }),
      ),
  );
}

/** Places snapshots again that an older version of the rubric placed. */
export function rescoreSnapshots(
  { snapshots }: { snapshots: SnapshotStore },
  teamId: string,
  page: RescorePage,
): Promise<RescoredPage> {
  return rescorePage(
    page,
    (after, limit) => snapshots.ratedBefore(teamId, currentRubric.version, after, limit),
    (old) =>
      snapshots.rescore(
        teamId,
        old.map((snapshot) => {
          const { id, revision } = snapshot;
          const { placement } = explainedPlacement(currentRubric, snapshot);
          return { id, revision, version: currentRubric.version, canonical: placement };
        }),
      ),
  );
}

async function rescorePage<Row extends ScoredRow>(
  { after, pageSize }: RescorePage,
  read: (after: VersionPosition, limit: number) => Promise<Row[]>,
  rescore: (rows: readonly Row[]) => Promise<number>,
): Promise<RescoredPage> {
  const limit = Math.min(pageSize || defaultPageSize, maxPageSize);
  const rows = await read(after ?? { version: 0, id: '' }, limit + 1);
  const page = rows.slice(0, limit);
  const rescored = page.length === 0 ? 0 : await rescore(page);
  return { rescored, next: rows.length > limit ? page.at(-1) : undefined };
}
