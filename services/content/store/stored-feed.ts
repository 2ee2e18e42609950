import type { Charge } from '../domain/feed/feed-row.ts';
import type { Usage } from '../domain/feed/feed-store.ts';

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

/** Returns a stored row's charge as a member of its state. */
export function chargeFromColumns({ owner, bytes, kept_bytes }: ChargeColumns): { charge?: Charge } {
  if (typeof owner !== 'string') return {};
  return { charge: { owner, bytes: bytes ?? 0, keptBytes: kept_bytes ?? 0 } };
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
