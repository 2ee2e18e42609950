import type { Placement } from './placement.ts';
import type { Rescored, VersionPosition } from './scored-row.ts';
import type { Snapshot, SnapshotKey } from './snapshot.ts';

/** One member's placement on one day. */
export interface DayPlacement {
  /** Of the snapshot. */
  id: string;
  memberId: string;
  date: string;
  canonical: Placement;
}

/** Part of the days of one metric up to `to`, itself included. */
export interface DayRange {
  metric: string;
  to: string;
  /** Rows after this place, in the order of day and id. */
  after: Pick<DayPlacement, 'date' | 'id'>;
  limit: number;
}

/** Where snapshots are kept. Every method may also throw AppError `unavailable`. */
export interface SnapshotStore {
  /**
   * Keeps a snapshot whole, durably, and answers its id: the one given where
   * its key is new to the team, else the one it has, everything else replaced.
   * However many do so at once, all get the same id. `revision` is the store's
   * to count. `at`: milliseconds since the epoch.
   */
  put(teamId: string, snapshot: Omit<Snapshot, 'revision'>, at: number): Promise<string>;
  find(teamId: string, key: SnapshotKey): Promise<Snapshot | undefined>;
  /** Placements of a range of days, by day and id. */
  placements(teamId: string, range: DayRange): Promise<DayPlacement[]>;
  /** Up to `limit` snapshots placed by versions before `version`, by version and id, those after `after`. */
  ratedBefore(teamId: string, version: number, after: VersionPosition, limit: number): Promise<Snapshot[]>;
  /** Replaces the placements of snapshots that are still at their revision; answers how many. */
  rescore(teamId: string, snapshots: readonly Rescored<{ canonical: Placement }>[]): Promise<number>;
}
