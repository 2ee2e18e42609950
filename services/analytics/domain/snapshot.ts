import type { Level } from './level.ts';
import type { Axes, Placement } from './placement.ts';
import type { ScoredRow } from './scored-row.ts';
import type { Signals } from './signals.ts';

/** The only kind of snapshot so far. */
export const individualMetric = 'aem-individual';

/** A client's own placement: kept as provenance, never used. */
export interface Provisional {
  /** Undefined where the client sent none. */
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
