import type { Item, ItemState } from './item.ts';
import type { FeedHead } from './item-store.ts';
import type { Tier } from './tier.ts';

/** The place a row is to be written at. */
export interface Position {
  seq: number;
  updatedAtMs: number;
  /** Its time for external keys, if they may know of the change. */
  externalAtMs: number;
}

/** Gives the rows of one write their positions, one after the other. */
export interface Positions {
  /** The next one, which stays the next until a row has taken it. */
  next(): Position;
  /** Goes on behind a row that was made at the next position, and returns the row. */
  take(row: Item): Item;
}

/**
 * The positions after the newest row of a feed. Both times are the clock, or
 * one millisecond after the time before where the clock is not ahead of it; that
 * of external keys counts from the newest change that they may know of, so that
 * it does not tell how much else changed.
 */
export function positionsAfter(
  head: FeedHead & { newestExternalMs: number },
  clock: () => number,
): Positions {
  let { seq, updatedAtMs, newestExternalMs } = head;
  return {
    next() {
      const nowMs = clock();
      return {
        seq: seq + 1,
        updatedAtMs: Math.max(nowMs, updatedAtMs + 1),
        externalAtMs: Math.max(nowMs, newestExternalMs + 1),
      };
    },
    take(row) {
      ({ seq, updatedAtMs } = row);
      // A change out of their sight leaves an earlier time, or none.
      newestExternalMs = Math.max(newestExternalMs, row.externalAtMs ?? 0);
      return row;
    },
  };
}

/** What a row is to hold, whatever list it belongs to. */
export interface RowContent {
  rowKey: string;
  tier: Tier;
  /** Tells whether another write would change anything. */
  checksum: string;
  /** The public JSON, once the time is known that is part of it. */
  jsonAt(updatedAtMs: number): Uint8Array;
}

/** The row that takes the place of `current`, visible to its tier. */
export function liveRow(content: RowContent, current: ItemState | undefined, place: Position): Item {
  const { rowKey, tier, checksum, jsonAt } = content;
  const { seq, updatedAtMs, externalAtMs } = place;
  return {
    rowKey,
    seq,
    updatedAtMs,
    tier,
    deleted: false,
    checksum,
    revision: nextRevision(current),
    externalAtMs: externalPlace(tier === 'external', current, place),
    // What external keys may see tells their time wherever it is read; team keys get theirs on the page.
    json: jsonAt(tier === 'external' ? externalAtMs : updatedAtMs),
  };
}

/** The row that tells readers of `current` to forget it. */
export function removedRow(current: ItemState, place: Position): Item {
  const { seq, updatedAtMs } = place;
  return {
    ...current,
    seq,
    updatedAtMs,
    deleted: true,
    revision: nextRevision(current),
    externalAtMs: externalPlace(false, current, place),
    json: new Uint8Array(),
  };
}

/** Where external keys find a row after a change: here, if they may see it now or did until now. */
export function externalPlace(
  isShown: boolean,
  current: ItemState | undefined,
  place: Position,
): number | null {
  const wasShown = current?.deleted === false && current.tier === 'external';
  return isShown || wasShown ? place.externalAtMs : (current?.externalAtMs ?? null);
}

/** A removed row leaves no version behind, so what follows it keeps its number. */
function nextRevision(current: ItemState | undefined): number {
  if (current === undefined) return 1;
  return current.deleted ? current.revision : current.revision + 1;
}
