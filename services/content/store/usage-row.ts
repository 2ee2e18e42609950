import type { Charge, Usage } from '../domain/quota.ts';

/** The columns and fields in which both engines keep what a row takes; absent or null in rows of earlier versions. */
export interface ChargeRow {
  owner?: string | null;
  bytes?: number | null;
  kept_bytes?: number | null;
}

/** What a stored row takes, as a member of its state. */
export function chargeFromRow({ owner, bytes, kept_bytes }: ChargeRow): { charge?: Charge } {
  if (typeof owner !== 'string') return {};
  return { charge: { owner, bytes: bytes ?? 0, keptBytes: kept_bytes ?? 0 } };
}

/** Usage as stored; what a lost count left below zero is nothing. */
export function usageFromRow({ rows, items, bytes }: Usage): Usage {
  return { rows: Math.max(0, rows), items: Math.max(0, items), bytes: Math.max(0, bytes) };
}
