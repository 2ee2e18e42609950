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
}

/** A scan as it is stored; its revision is the store's to count. */
export function scanToRow(scan: Omit<Scan, 'revision'>): Omit<ScanRow, 'revision'> {
  return {
    codebase_id: scan.codebaseId,
    head_sha: scan.metrics.headSha,
    version: scan.version,
    agentic_score: scan.agenticScore,
    metrics_json: JSON.stringify(scan.metrics),
    contributions_json: JSON.stringify(scan.contributions),
    issues_json: JSON.stringify(scan.issues),
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
