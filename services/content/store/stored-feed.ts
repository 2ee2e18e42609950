import type { Charge, FeedRowState, Origin } from '../domain/feed/feed-row.ts';
import type { RowVersion, Usage } from '../domain/feed/feed-store.ts';

/** The names of a feed's tables or collections. */
export interface FeedNames {
  rows: string;
  versions: string;
  /** Usage by owner. */
  usage: string;
  /** Whether its rows are made from those of the other feeds. */
  isDerived?: true;
}

/** The feeds that content keeps. */
export const feedNames = {
  items: { rows: 'items', versions: 'item_versions', usage: 'item_usage' },
  tasks: { rows: 'tasks', versions: 'task_versions', usage: 'task_usage', isDerived: true },
  decisions: { rows: 'decisions', versions: 'decision_versions', usage: 'decision_usage' },
} as const satisfies Record<string, FeedNames>;

/** The columns and fields of a row's charge in both engines; absent or null where no quota applies. */
export interface ChargeColumns {
  owner?: string | null;
  bytes?: number | null;
  kept_bytes?: number | null;
}

/** Returns the view through which SQLite reads and writes kept versions with their origins. */
export function viewOfVersions(table: string): string {
  return `${table}_with_origins`;
}

/** Returns a stored row's charge as a member of its state. */
export function chargeFromColumns({ owner, bytes, kept_bytes }: ChargeColumns): { charge?: Charge } {
  if (typeof owner !== 'string') return {};
  return { charge: { owner, bytes: bytes ?? 0, keptBytes: kept_bytes ?? 0 } };
}

/**
 * Returns the origin of a row as both engines store it, with the row's position: a program of an earlier version that
 * writes over the row leaves it there.
 */
export function storedOrigin({ seq, origin }: Pick<FeedRowState, 'seq' | 'origin'>): string | null {
  return origin === undefined ? null : JSON.stringify({ seq, ...origin });
}

/** Returns the stored origin of a row as a member of its state; none if it is that of an earlier state. */
export function originFromStored(
  stored: string | null | undefined,
  rowSeq: number,
): Pick<FeedRowState, 'origin'> {
  if (typeof stored !== 'string') return {};
  const { seq, ...origin } = JSON.parse(stored) as Origin & { seq: number };
  return seq === rowSeq ? { origin } : {};
}

/** Returns the origin of a row as its kept version has it. Nothing writes over that. */
export function keptOrigin({ origin }: Pick<FeedRowState, 'origin'>): string | null {
  return origin === undefined ? null : JSON.stringify(origin);
}

/** Returns a kept version with the origin that it was stored with. */
export function versionFromStored(
  { revision, origin }: { revision: number; origin?: string | null },
  json: Uint8Array,
): RowVersion {
  return typeof origin === 'string' ? { revision, json, origin: JSON.parse(origin) } : { revision, json };
}

/** The columns and fields of an owner's usage in both engines. */
export interface UsageColumns {
  rows: number;
  /** Rows that have a text, in tasks and decisions too. */
  items: number;
  bytes: number;
}

/** Returns usage as stored. A lost count can leave numbers below zero; they become 0. */
export function usageFromColumns({ rows, items, bytes }: UsageColumns): Usage {
  return { rows: Math.max(0, rows), texts: Math.max(0, items), bytes: Math.max(0, bytes) };
}

/** Whether two counts are the same; an absent one counts nothing. */
export function isSameUsage(one: UsageColumns | undefined, other: UsageColumns | undefined): boolean {
  const is = (name: keyof UsageColumns) => (one?.[name] ?? 0) === (other?.[name] ?? 0);
  return is('rows') && is('items') && is('bytes');
}
