import type { Contribution, Issue, ScanMetrics } from './scan.ts';
import type { Rescored, ScoredRow, VersionPosition } from './scored-row.ts';

/** A scan as it is rated: what the score rests on, and the score. */
export interface RatedScan extends ScoredRow {
  metrics: ScanMetrics;
  /** 0 to 100, one decimal. */
  agenticScore: number;
}

/** A scan with everything that came with it. */
export interface Scan extends RatedScan {
  codebaseId: string;
  contributions: Contribution[];
  issues: Issue[];
}

/** Where scans are kept. Every method may also throw AppError `unavailable`. */
export interface ScanStore {
  /**
   * Keeps a scan whole, durably, and answers its id: the one given where the
   * commit is new to the codebase, else the one it has, everything else
   * replaced. However many do so at once, all get the same id, and what is
   * kept is wholly one of them. `revision` is the store's to count. `at`:
   * milliseconds since the epoch.
   */
  put(teamId: string, scan: Omit<Scan, 'revision'>, at: number): Promise<string>;
  /**
   * Forgets the oldest scans of a codebase, by when their commit came first,
   * past so many or so many bytes; the newest always stays. Scans that an
   * earlier version of this program stored count as of no bytes.
   */
  keepNewest(teamId: string, codebaseId: string, most: { scans: number; bytes: number }): Promise<void>;
  find(teamId: string, codebaseId: string, headSha: string): Promise<Scan | undefined>;
  /** Up to `limit` scans rated by versions before `version`, by version and id, those after `after`. */
  ratedBefore(teamId: string, version: number, after: VersionPosition, limit: number): Promise<RatedScan[]>;
  /** Replaces the scores of scans that are still at their revision; answers how many. */
  rescore(teamId: string, scans: readonly Rescored<{ agenticScore: number }>[]): Promise<number>;
}
