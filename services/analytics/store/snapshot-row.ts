import type { Level } from '../domain/level.ts';
import type { Axes, Measured, Placement } from '../domain/placement.ts';
import type { Signals } from '../domain/signals.ts';
import type { Provisional, Snapshot } from '../domain/snapshot.ts';

/** The columns and fields in which both engines keep a placement. */
export interface PlacementRow {
  spine: Level;
  axes_json: string;
}

/** The columns and fields in which both engines keep a snapshot, beside its team and id. */
export interface SnapshotRow extends PlacementRow {
  member_id: string;
  date: string;
  metric: string;
  window_days: number;
  sessions: number;
  tasks: number;
  signals_json: string;
  /** Null where the client sent none. */
  provisional_json: string | null;
  /** What enters rollups; null, or absent, where nothing does, as in rows of which is not known who pushed them. */
  counted_json?: string | null;
  version: number;
  revision: number;
}

/** A snapshot as it is stored; its revision is the store's to count. */
export function snapshotToRow(
  snapshot: Omit<Snapshot, 'revision'>,
): Omit<SnapshotRow, 'revision' | 'counted_json'> {
  const { provisional } = snapshot;
  return {
    member_id: snapshot.memberId,
    date: snapshot.date,
    metric: snapshot.metric,
    window_days: snapshot.windowDays,
    sessions: snapshot.sessions,
    tasks: snapshot.tasks,
    signals_json: JSON.stringify(snapshot.signals),
    provisional_json: provisional === undefined ? null : JSON.stringify(provisional),
    version: snapshot.version,
    ...placementToRow(snapshot.canonical),
  };
}

/** A stored snapshot. */
export function snapshotFromRow(id: string, row: SnapshotRow): Snapshot {
  const { provisional_json } = row;
  return {
    id,
    memberId: row.member_id,
    date: row.date,
    metric: row.metric,
    windowDays: row.window_days,
    sessions: row.sessions,
    tasks: row.tasks,
    signals: JSON.parse(row.signals_json) as Signals,
    provisional: provisional_json === null ? undefined : (JSON.parse(provisional_json) as Provisional),
    canonical: placementFromRow(row),
    version: row.version,
    revision: row.revision,
  };
}

/** A placement as it is stored. */
export function placementToRow({ spine, axes }: Placement): PlacementRow {
  return { spine, axes_json: JSON.stringify(axes) };
}

/** A stored placement. */
export function placementFromRow({ spine, axes_json }: PlacementRow): Placement {
  return { spine, axes: JSON.parse(axes_json) as Axes };
}

/** What of a snapshot enters rollups, as it is stored. */
export function countedToJson({ sessions, tasks, signals }: Measured): string {
  return JSON.stringify({ sessions, tasks, signals });
}

/** What of a stored snapshot enters rollups. */
export function countedFromJson(json: string): Measured {
  return JSON.parse(json) as Measured;
}
