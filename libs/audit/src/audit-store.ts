import type { ReserveUse, StoredAuditEntry } from './audit-entry.ts';

/** Where a log begins and ends, kept beside its entries, so that what is cut off at an end shows. */
export interface AuditBounds {
  /** The sequence of the oldest entry that is kept; those before it were removed as too old. */
  first: number;
  /** The hash of the entry before that one. */
  firstPreviousHash: string;
  /**
   * The sequence of the entry `audit.prune` that tells of the last removal, and so of the two above. Undefined before the
   * first one.
   */
  prunedBy?: number | undefined;
  /** The newest entry. A process that died may leave this a few entries behind, never ahead. */
  last: number;
  lastHash: string;
}

/** Where a log begins after a removal. */
export type Beginning = Required<Pick<AuditBounds, 'first' | 'firstPreviousHash' | 'prunedBy'>>;

/** What a list of entries is restricted to. */
export interface AuditFilter {
  teamId?: string;
  actor?: string;
  /** Milliseconds since the epoch: entries from then on. */
  since?: number;
}

/** Which of a team's entries to list. */
export interface TeamAuditFilter {
  actor?: string | undefined;
  /** How far the list was shown. */
  shownTo?: ShownTo | undefined;
}

/**
 * A place in a list of a team, made of what its readers see: a sequence would tell how much other teams do, and a hash lets
 * one guess it.
 */
export interface ShownTo {
  /** The moment of the last entry that was shown. */
  at: number;
  /** Entries of that moment that were shown. */
  count: number;
}

/** Stores a log. Every method may also throw AppError `unavailable`. */
export interface AuditStore {
  /** Undefined before the first entry. */
  bounds(): Promise<AuditBounds | undefined>;
  /** The newest entry that is stored. */
  newest(): Promise<StoredAuditEntry | undefined>;
  /**
   * Appends entries with consecutive sequences, durably and in order, and moves the end of the log. Returns how many were
   * appended: fewer than all if another process has taken the sequence of one. `reserve`: what of the space for a full disk they may use.
   */
  append(entries: readonly StoredAuditEntry[], options: { reserve: ReserveUse }): Promise<number>;
  /** Up to `limit` entries with a higher sequence than `after`, lowest first. */
  list(after: number, limit: number, filter?: AuditFilter): Promise<StoredAuditEntry[]>;
  /** Up to `limit` entries of a team, by their time, newest first. */
  listOfTeam(teamId: string, limit: number, filter: TeamAuditFilter): Promise<StoredAuditEntry[]>;
  /** The oldest entry that is not older than a moment; undefined if all are older. */
  firstSince(at: number): Promise<StoredAuditEntry | undefined>;
  /** Moves the beginning of the log to an entry, then removes those before it. */
  removeBefore(beginning: Beginning): Promise<void>;
}
