import type { Item, ItemState } from './item.ts';
import type { Tier } from './tier.ts';

/** The place a row is to be written at. */
export interface Position {
  seq: number;
  updatedAtMs: number;
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
  const { seq, updatedAtMs } = place;
  return {
    rowKey,
    seq,
    updatedAtMs,
    tier,
    deleted: false,
    checksum,
    revision: nextRevision(current),
    externalAtMs: externalPlace(tier === 'external', current, updatedAtMs),
    json: jsonAt(updatedAtMs),
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
    externalAtMs: externalPlace(false, current, updatedAtMs),
    json: new Uint8Array(),
  };
}

/** Where external keys find a row after a change: here, if they may see it now or did until now. */
export function externalPlace(
  isShown: boolean,
  current: ItemState | undefined,
  updatedAtMs: number,
): number | null {
  const wasShown = current?.deleted === false && current.tier === 'external';
  return isShown || wasShown ? updatedAtMs : (current?.externalAtMs ?? null);
}

/** A removed row leaves no version behind, so what follows it keeps its number. */
function nextRevision(current: ItemState | undefined): number {
  if (current === undefined) return 1;
  return current.deleted ? current.revision : current.revision + 1;
}
