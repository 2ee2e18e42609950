import type { Tier } from '@teammemory/vocabulary/tier.ts';
import { type FeedRow, type FeedRowState, isErased, type Origin } from './feed-row.ts';

/** The newest row of a team's feed; zeros for a team that has none. */
export interface FeedHead {
  seq: number;
  updatedAtMs: number;
}

/** A row to write, and the state that it replaces. */
export interface FeedChange {
  row: FeedRow;
  /** What is stored now; undefined for a row that was never there. */
  previous: FeedRowState | undefined;
  /** Keeps no version of the row, neither the one replaced nor those before it. */
  dropsVersions?: boolean;
}

/** Returns the revision from which on a change keeps no versions, the one that it replaces included; undefined: it keeps them. */
export function droppedFrom({ row, dropsVersions }: FeedChange): number | undefined {
  if (isErased(row)) return row.erasedFrom;
  return dropsVersions ? 1 : undefined;
}

/** A row as one reader sees it on a page. */
export interface PageRow {
  rowKey: string;
  /** The time under which this reader finds it, milliseconds since the epoch. */
  atMs: number;
  /** Whether this reader is to forget it: it was removed, or is no longer visible. */
  deleted: boolean;
  /** The public JSON; empty when `deleted`. */
  json: Uint8Array;
}

/** Some rows of a feed, and up to which time they are all that was looked for, unless the page is full. */
export interface PartOfFeed {
  rows: PageRow[];
  throughMs: number;
}

/** Which rows of a feed a page holds. `untilMs` must be a result of `newestAtMs`: no row can be added up to there any more. */
export interface PageRange {
  afterMs: number;
  untilMs: number;
  limit: number;
  maxBytes: number;
  includeDeleted: boolean;
}

/** How much work a page of a part of a feed may be. */
export interface PartBounds {
  /** Rows of the part, removed ones included, up to which they are all sorted. */
  maxSorted: number;
  /**
   * Rows of the reader's feed that are looked through where the part has more. For external readers it is always so: else
   * the size of a page would tell how many rows out of their sight the part has.
   */
  maxLookedThrough: number;
}

/** What is to stand around joined rows, so that nobody has to copy them into an answer. */
export interface Frame {
  /** The text before the array. */
  head: string;
  /** Bytes of room after the array. */
  room: number;
}

/** The rows of a page as the engine has joined them. */
export interface JoinedRows {
  /** The head, a JSON array of the rows, and the room, in memory of its own. */
  json: Uint8Array;
  /** The time under which the reader finds the last row; undefined without rows. */
  lastAtMs: number | undefined;
  /** Whether the reader finds rows after these, up to the end of the range. */
  hasMore: boolean;
  /**
   * The length of each row's JSON, and the time under which the reader finds it. Absent if every row contains that time
   * already.
   */
  times?: readonly { bytes: number; atMs: number }[];
}

/** Which keys of a feed are wanted: those that begin with a text, from one on. */
export interface KeyRange {
  beginning: string;
  /** The first key that may be in it, whether or not there is such a row. */
  from: string;
  limit: number;
}

/** A key of a feed. */
export interface FoundKey {
  rowKey: string;
  /** Whether the reader sees the row. */
  isLive: boolean;
}

/** An earlier version of a row. */
export interface RowVersion {
  revision: number;
  json: Uint8Array;
  origin?: Origin | undefined;
}

/** What an owner has in a feed. */
export interface Usage {
  /** Rows, removed ones included. */
  rows: number;
  /** Rows that have a text: hidden decisions do, removed rows do not. */
  texts: number;
  /** Bytes of rows and kept versions. */
  bytes: number;
}

export type UsageByOwner = ReadonlyMap<string, Usage>;

/** How a recount ended. `busy`: others wrote all the time, and nothing was changed. */
export type Recount = 'right' | 'repaired' | 'busy';

/**
 * What content needs of a database for one feed. Items, tasks and decisions are feeds of the same form; only keys and
 * JSON differ. Every method throws AppError `unavailable` when the database cannot be reached in time.
 */
export interface FeedStore {
  /** Returns the newest row of the team. */
  head(teamId: string): Promise<FeedHead>;
  /**
   * Returns the states of those rows that exist, removed ones included. At most 1,000 keys. For `external` a row that
   * external keys never could see does not exist, and costs no more than one that does not.
   */
  find(teamId: string, rowKeys: readonly string[], knownTo?: Tier): Promise<Map<string, FeedRowState>>;
  /**
   * Returns one row, removed or not; undefined for one that was never there. For `external` only a row that external keys
   * see now: the text of a hidden one is not read, because the time of that would tell of it.
   */
  read(teamId: string, rowKey: string, shownTo?: Tier): Promise<FeedRow | undefined>;
  /**
   * Writes rows at consecutive positions, in order, and keeps the versions that they replace (`leavesVersion`), at most
   * `history` of a row, but for those that a change drops. Stops before the first row whose position is taken or whose previous state is no longer the stored one.
   * Returns how many were written; those are durable. Never writes behind a free position.
   */
  append(teamId: string, changes: readonly FeedChange[], history: number): Promise<number>;
  /**
   * Returns what owners have, by the charges of their rows; owners who have nothing are left out. If a process is
   * killed while it writes, its last rows may not be counted.
   */
  usage(teamId: string, owners: readonly string[]): Promise<UsageByOwner>;
  /** Counts again what the owners of a team have, in small steps beside running writes, and stores what was wrong. */
  recount(teamId: string): Promise<Recount>;
  /**
   * Returns the rows that one tier sees, with times after `afterMs` and up to `untilMs`, oldest first. Ends with the
   * row that makes their JSON pass `maxBytes`.
   */
  page(teamId: string, tier: Tier, range: PageRange): Promise<PageRow[]>;
  /**
   * Returns what `page` does of the rows whose keys begin with a text. Where they are many in all but few after `afterMs`,
   * the page may end before its time.
   */
  pageStartingWith(
    teamId: string,
    tier: Tier,
    beginning: string,
    range: PageRange & PartBounds,
  ): Promise<PartOfFeed>;
  /**
   * Returns the rows of `page` as one value, which costs a fraction of reading them one by one. Undefined if the engine
   * cannot join them as they are stored: one is to be forgotten, or large enough for the rows to pass `maxBytes`.
   */
  joinedPage(teamId: string, tier: Tier, range: PageRange, frame: Frame): Promise<JoinedRows | undefined>;
  /** Returns the time of the newest row in one tier's feed, rows to be forgotten included; 0 if it is empty. */
  newestAtMs(teamId: string, tier: Tier): Promise<number>;
  /**
   * Returns every row after a position, lowest first, whatever its tier, removed ones included. Ends with the row that
   * makes their JSON pass `maxBytes`.
   */
  readFrom(teamId: string, afterSeq: number, range: { limit: number; maxBytes?: number }): Promise<FeedRow[]>;
  /** Returns live rows whose keys begin with a text, by key. */
  startingWith(teamId: string, beginning: string, limit: number): Promise<FeedRow[]>;
  /** Returns the keys of live rows that begin with a text and come after another key, in order. */
  keysStartingWith(teamId: string, beginning: string, afterKey: string, limit: number): Promise<string[]>;
  /**
   * Returns keys in order. For `team` with those of removed rows, so that the limit bounds the work. For `external` only of
   * rows that external keys see now, and no other row makes the call slower.
   */
  keyPage(teamId: string, tier: Tier, range: KeyRange): Promise<FoundKey[]>;
  /**
   * Returns those of some rows that one tier sees now. Ends with the row that makes their JSON pass `maxBytes`. At most 200
   * keys, in the order of code points.
   */
  readShown(teamId: string, tier: Tier, rowKeys: readonly string[], maxBytes: number): Promise<FeedRow[]>;
  /** Returns the team that has rows after another one, in the order of their ids; undefined after the last. '' begins with the first. */
  teamAfter(teamId: string): Promise<string | undefined>;
  /** Returns removed rows whose keys begin with a text and that are not erased, with the JSON they keep, the last key first. */
  removedStartingWith(teamId: string, beginning: string, limit: number): Promise<FeedRow[]>;
  /** Returns rows that are not erased, removed or not, whose keys begin with a text, by key. */
  unerasedStartingWith(teamId: string, beginning: string, limit: number): Promise<FeedRow[]>;
  /** Removes some kept versions for good; nothing happens for one that is not there. */
  dropVersions(teamId: string, dropped: readonly { rowKey: string; revision: number }[]): Promise<void>;
  /**
   * Removes for good what erased rows left behind: versions that a process did not come to remove, and removed data in
   * files. To be called until it succeeds, after the rows were written; repeating it does no harm.
   */
  scrub(teamId: string, rows: readonly FeedRowState[]): Promise<void>;
  /** Returns kept versions before a revision, newest first. Ends with the one that makes their JSON pass `maxBytes`. */
  versions(
    teamId: string,
    rowKey: string,
    range: { beforeRevision: number; limit: number; maxBytes?: number },
  ): Promise<RowVersion[]>;
}
