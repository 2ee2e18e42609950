import type { DocumentKind, ItemPassages, Tier } from './passage.ts';

/**
 * The version of the rows' form: how items are cut, and what is kept of them. Raise it when the form changes: rows of
 * another version count as missing, so every team's rows are made again from its feed.
 */
export const passageForm = 3;

/** The passages of an item as their row has them. */
export interface StoredItem {
  rowKey: string;
  seq: number;
  tier: Tier;
  /** 'item' where it is left out, as in stores, which have no others. */
  kind?: DocumentKind | undefined;
  /** To be read with `passagesFromJson`. */
  json: string;
  /** As of `FeedItem`. `findItem` leaves it out. */
  writerId?: string | undefined;
}

/** How much of what has changed is read at once. */
export interface ChangesPage {
  rows: number;
  /** No row is read once those before it have so many characters. */
  characters: number;
}

/**
 * Keeps the passages of every item, one row per item, and how far each team's
 * item feed has been followed. Removed items stay as rows without passages, so
 * that every process's index learns of them.
 *
 * Every method throws AppError `unavailable` when the store cannot be reached
 * in time.
 */
export interface PassageStore {
  /** Position up to which the rows show the team's item feed; 0 for a team never followed, or not yet in this form. */
  cursor(teamId: string): Promise<number>;
  /** Moves the cursor forward; a position behind it changes nothing. */
  advanceCursor(teamId: string, seq: number): Promise<void>;
  /**
   * Replaces the rows of these items, each at once and durably. A row that
   * already shows this seq in this form, or a newer one, stays as it is. At most one state per item. `dataId` is that of
   * the feed that the states were read from.
   */
  replaceItems(teamId: string, items: readonly StoredItem[], dataId?: string): Promise<void>;
  /** Ids of up to `limit` teams that have a cursor, in their order, those after one; '' begins with the first. */
  teams(afterTeamId: string, limit: number): Promise<string[]>;
  /**
   * Says of which data of content the team's rows are to be. If they are of other data they are removed, and the cursor
   * is 0; so it is if they are `ahead` of a head, because content was restored from an older copy. Rows of earlier
   * versions, which noted no data, count as of this one. Returns whether the rows could stay.
   */
  claim(teamId: string, dataId: string, ahead?: { ofSeq: number }): Promise<boolean>;
  /** Returns rows with a seq above `afterSeq`, lowest first: at most a page, and at least one row if there is one. */
  changesAfter(teamId: string, afterSeq: number, page: ChangesPage): Promise<StoredItem[]>;
  /** Returns the row of an item; undefined if it has none, or only one of another form. */
  findItem(teamId: string, rowKey: string): Promise<StoredItem | undefined>;
  /** Ids of the members who wrote these items, by row key; those of whom that is not known are left out. */
  writersOf(teamId: string, rowKeys: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

type Stored = Pick<ItemPassages, 'title' | 'passages' | 'fields' | 'isRefused' | 'isErased'>;

/**
 * What a row keeps of an item's text, as one JSON text: in it hostile strings
 * are data in either engine, lone surrogates and NUL included.
 */
export function passagesToJson({ title, passages, fields, isRefused, isErased }: Stored): string {
  return JSON.stringify({ title, passages, fields, isRefused, isErased });
}

/** The inverse of `passagesToJson`. */
export function passagesFromJson(json: string): Stored {
  return JSON.parse(json) as Stored;
}

/** The row of an item. */
export function storedItem({ rowKey, seq, tier, kind, writerId, ...stored }: ItemPassages): StoredItem {
  return {
    rowKey,
    seq,
    tier,
    ...(kind && { kind }),
    ...(writerId && { writerId }),
    json: passagesToJson(stored),
  };
}
