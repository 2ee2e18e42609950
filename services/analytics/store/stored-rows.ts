import type { FigureName, Release } from '../domain/disclosure.ts';
import type { Axes, Measured, Placement } from '../domain/placement.ts';
import type { Signals } from '../domain/rubric.ts';
import type { Contribution, Issue, RatedScan, Scan, ScanMetrics } from '../domain/scans.ts';
import type { Level } from '../domain/scored-rows.ts';
import type { Provisional, Snapshot } from '../domain/snapshots.ts';

/** The columns (SQLite) and fields (MongoDB) of what a score rests on. */
export interface RatedScanRow {
  version: number;
  revision: number;
  agentic_score: number;
  /** JSON text, as the lists below: names that clients chose are never keys of a document. */
  metrics_json: string;
}

/** The columns (SQLite) and fields (MongoDB) of a scan, beside its team and id. */
export interface ScanRow extends RatedScanRow {
  codebase_id: string;
  head_sha: string;
  contributions_json: string;
  issues_json: string;
  /** Of the three texts; absent or null in rows of the first versions until they are migrated (`scan-sizes.ts`). */
  bytes?: number | null;
}

/** The texts of a scan, whose size counts towards what is kept of a codebase. */
export type ScanTexts = Pick<ScanRow, 'metrics_json' | 'contributions_json' | 'issues_json'>;

/** Size of a scan's texts: bytes in UTF-8. */
export function scanBytes({ metrics_json, contributions_json, issues_json }: ScanTexts): number {
  const texts = [metrics_json, contributions_json, issues_json];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** A scan as it is stored; its revision is the store's to count. */
export function scanToRow(
  scan: Omit<Scan, 'revision'>,
): Omit<ScanRow, 'revision' | 'bytes'> & { bytes: number } {
  const texts = {
    metrics_json: JSON.stringify(scan.metrics),
    contributions_json: JSON.stringify(scan.contributions),
    issues_json: JSON.stringify(scan.issues),
  };
  return {
    ...texts,
    bytes: scanBytes(texts),
    codebase_id: scan.codebaseId,
    head_sha: scan.metrics.headSha,
    version: scan.version,
    agentic_score: scan.agenticScore,
  };
}

/** A stored scan, whole. */
export function scanFromRow(id: string, row: ScanRow): Scan {
  return {
    ...ratedScanFromRow(id, row),
    codebaseId: row.codebase_id,
    contributions: JSON.parse(row.contributions_json) as Contribution[],
    issues: JSON.parse(row.issues_json) as Issue[],
  };
}

/** The part of a stored scan that its score rests on. */
export function ratedScanFromRow(id: string, row: RatedScanRow): RatedScan {
  const { version, revision, agentic_score, metrics_json } = row;
  const metrics = JSON.parse(metrics_json) as ScanMetrics;
  return { id, version, revision, metrics, agenticScore: agentic_score };
}

/** The oldest of `rows` that stays, where some do not; `rows` has the newest first, one more than may stay. */
export function oldestKept<Row extends { bytes?: number | null }>(
  rows: readonly Row[],
  most: { scans: number; bytes: number },
): Row | undefined {
  let bytes = 0;
  const tooMany = rows.findIndex((row, index) => {
    bytes += row.bytes ?? 0;
    return index > 0 && (index >= most.scans || bytes > most.bytes);
  });
  return tooMany === -1 ? undefined : rows[tooMany - 1];
}

/** The columns (SQLite) and fields (MongoDB) of a placement. */
export interface PlacementRow {
  spine: Level;
  axes_json: string;
}

/** The columns (SQLite) and fields (MongoDB) of a snapshot, beside its team and id. */
export interface SnapshotRow extends PlacementRow {
  member_id: string;
  date: string;
  metric: string;
  window_days: number;
  sessions: number;
  tasks: number;
  signals_json: string;
  /** Null if the client sent none. */
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
function placementFromRow({ spine, axes_json }: PlacementRow): Placement {
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

/** Releases of one read: a team of a thousand has a hundred kilobytes in each. */
export const releasesPerRead = 16;

/** A release as text, the same in both engines: members are data, never keys of a document. */
export function releaseToJson({ figures, contributions }: Release): string {
  return JSON.stringify({ figures, contributions: [...contributions] });
}

/** A stored release. */
export function releaseFromJson(json: string): Release {
  const { figures, contributions } = JSON.parse(json) as {
    figures: FigureName[];
    contributions: [string, number[]][];
  };
  return { figures, contributions: new Map(contributions) };
}
