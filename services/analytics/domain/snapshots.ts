import type { Axes, Measured, Placement } from './placement.ts';
import type { Signals } from './rubric.ts';
import type { Level, Rescored, ScoredRow, VersionPosition } from './scored-rows.ts';

/** The only kind of snapshot so far. */
export const individualMetric = 'aem-individual';

/** A client's own placement: kept as provenance, never used. */
export interface Provisional {
  /** Undefined if the client sent none. */
  spine: Level | undefined;
  axes: Partial<Axes>;
}

/** What a client sends: typed, nothing more. */
export interface SnapshotDraft {
  /** Handle in any case; '' for the caller. */
  member: string;
  metric: string;
  date: string;
  windowDays: number;
  sessions: number;
  tasks: number;
  signals: Signals;
  provisional: { spine: string; axes: Readonly<Record<string, number>> } | undefined;
}

/** Which snapshot of a team it is. */
export interface SnapshotKey {
  /** UUID version 7. */
  memberId: string;
  /** YYYY-MM-DD. */
  date: string;
  metric: string;
}

/** One day's snapshot of a member, placed by a rubric. */
export interface Snapshot extends ScoredRow, SnapshotKey {
  /** Days that the aggregate covers. */
  windowDays: number;
  sessions: number;
  tasks: number;
  signals: Signals;
  provisional: Provisional | undefined;
  canonical: Placement;
}

/** What counts of one member on one day: what the member, or an administrator, pushed last. */
export interface CountedDay {
  /** Of the snapshot. */
  id: string;
  memberId: string;
  date: string;
  measured: Measured;
}

/** Part of the days of one metric up to `to`, itself included. */
export interface DayRange {
  metric: string;
  to: string;
  /** Rows after this cursor, in the order of day and id. */
  after: Pick<CountedDay, 'date' | 'id'>;
  limit: number;
}

/** How a snapshot is put. */
export interface SnapshotPut {
  /** Milliseconds since the epoch. */
  at: number;
  /**
   * Whether what was measured enters rollups. Where it does not, what entered
   * them before stays beside it, so that nobody replaces the figures of another.
   */
  counts: boolean;
  /** Snapshots of the member past which none is added. */
  maxOfMember: number;
}

/** Stores snapshots. Every method may also throw AppError `unavailable`. */
export interface SnapshotStore {
  /**
   * Stores a whole snapshot durably and returns its id: the one given where
   * its key is new to the team, else the one it has, everything else replaced.
   * However many do so at once, all get the same id. `revision` is the store's
   * to count. Undefined if the key is new and the member has too many; on
   * MongoDB several that are new at once may pass that together.
   */
  put(teamId: string, snapshot: Omit<Snapshot, 'revision'>, how: SnapshotPut): Promise<string | undefined>;
  find(teamId: string, key: SnapshotKey): Promise<Snapshot | undefined>;
  /** Up to `limit` snapshots of a member and metric, the newest day first, those before `beforeDate`; '' begins with it. */
  list(teamId: string, of: Omit<SnapshotKey, 'date'>, beforeDate: string, limit: number): Promise<Snapshot[]>;
  /** What counts of a range of days, by day and id; days of which nothing counts are left out. */
  counted(teamId: string, range: DayRange): Promise<CountedDay[]>;
  /** Up to `limit` snapshots placed by versions before `version`, by version and id, those after `after`. */
  ratedBefore(teamId: string, version: number, after: VersionPosition, limit: number): Promise<Snapshot[]>;
  /** Replaces the placements of snapshots that are still at their revision; returns how many. */
  rescore(teamId: string, snapshots: readonly Rescored<{ canonical: Placement }>[]): Promise<number>;
}
