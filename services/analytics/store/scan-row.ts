import type { Contribution, Issue, ScanMetrics } from '../domain/scan.ts';
import type { RatedScan, Scan } from '../domain/scan-store.ts';

/** The columns and fields in which both engines keep what a score rests on. */
export interface RatedScanRow {
  version: number;
  revision: number;
  agentic_score: number;
  /** JSON text, as the lists below: names that clients chose are never keys of a document. */
  metrics_json: string;
}

/** The columns and fields in which both engines keep a scan, beside its team and id. */
export interface ScanRow extends RatedScanRow {
  codebase_id: string;
  head_sha: string;
  contributions_json: string;
  issues_json: string;
  /** Of the three texts; absent or null in rows of earlier versions. */
  bytes?: number | null;
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
    bytes: Object.values(texts).reduce((sum, text) => sum + Buffer.byteLength(text), 0),
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
