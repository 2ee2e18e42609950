import type { Item, ItemState } from './item.ts';
import type { UsageByOwner } from './quota.ts';
import type { Tier } from './tier.ts';

/** The newest row of a team's feed; zeros for a team that has none. */
export interface FeedHead {
  seq: number;
  updatedAtMs: number;
}

/** One row to write, and the state it was decided on. */
export interface ItemChange {
  /** What will be stored. */
  item: Item;
  /** What is stored now; undefined for an item that was never there. */
  previous: ItemState | undefined;
  /** Whether no version of it is kept, neither the one replaced nor those before. */
  dropsVersions?: boolean;
}

/** A row of the feed as one reader sees it. */
export interface FeedRow {
  rowKey: string;
  /** Its place in this reader's feed, milliseconds since the epoch. */
  atMs: number;
  /** Whether this reader is to forget it: removed, or no longer visible. */
  deleted: boolean;
  /** The public JSON; empty when `deleted`. */
  json: Uint8Array;
}

/** A version of an item that is no longer the present one. */
export interface ItemVersion {
  revision: number;
  json: Uint8Array;
}

/**
 * What content needs of a database for one list of rows: items, tasks or
 * decisions, which all are feeds and differ in what a row's key and JSON say. Every method throws AppError
 * `unavailable` when the database cannot be reached in time.
 */
export interface ItemStore {
  /** The newest row of the team. */
  head(teamId: string): Promise<FeedHead>;
  /** The present states of those of the rows that exist, removed ones included. At most 1,000 keys. */
  find(teamId: string, rowKeys: readonly string[]): Promise<Map<string, ItemState>>;
  /**
   * Writes rows at consecutive positions, in order, and keeps the version that
   * each replaces: at most `history` of them an item. It stops before the
   * first row whose position is taken or whose previous state is no longer the
   * stored one, and answers how many were written; those are durable. Nothing
   * is ever written behind a position that is still free.
   */
  append(teamId: string, changes: readonly ItemChange[], history: number): Promise<number>;
  /**
   * What owners have by the charges of their rows; those who have nothing are
   * left out. A process that is killed while it writes can leave out of it what
   * it wrote last.
   */
  usage(teamId: string, owners: readonly string[]): Promise<UsageByOwner>;
  /**
   * Rows of one tier's feed after a place and up to another, oldest first; ends
   * with the row that makes their JSON pass `maxBytes`. `untilMs` is a newest
   * place that was read before: up to there no row can come into being any more.
   */
  page(
    teamId: string,
    tier: Tier,
    range: { afterMs: number; untilMs: number; limit: number; maxBytes: number; includeDeleted: boolean },
  ): Promise<FeedRow[]>;
  /** Place of the newest row of one tier's feed, rows to be forgotten included; 0 where there is none. */
  newestPlace(teamId: string, tier: Tier): Promise<number>;
  /**
   * Every row after a position, lowest first, whatever its tier, removed ones
   * included; ends with the row that makes their JSON pass `maxBytes`.
   */
  readFrom(teamId: string, afterSeq: number, range: { limit: number; maxBytes?: number }): Promise<Item[]>;
  /** Live rows whose keys begin with a text, with their JSON, by key. */
  startingWith(teamId: string, beginning: string, limit: number): Promise<Item[]>;
  /** Removed rows whose keys begin with a text, with what JSON they keep, the last key first. */
  removedStartingWith(teamId: string, beginning: string, limit: number): Promise<Item[]>;
  /** Kept versions before a revision, newest first; ends with the one that makes their JSON pass `maxBytes`. */
  versions(
    teamId: string,
    rowKey: string,
    range: { beforeRevision: number; limit: number; maxBytes?: number },
  ): Promise<ItemVersion[]>;
}
