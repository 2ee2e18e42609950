import type { ItemPassages } from './passage.ts';

/**
 * Keeps the passages of every item, one row per item, and how far each team's
 * item feed has been followed. Removed items stay as rows without passages, so
 * that every process's index learns of them.
 *
 * Every method throws AppError `unavailable` when the store cannot be reached
 * in time.
 */
export interface PassageStore {
  /** Position up to which the rows show the team's item feed; 0 for a team never followed. */
  cursor(teamId: string): Promise<number>;
  /** Moves the cursor forward; a position behind it changes nothing. */
  advanceCursor(teamId: string, seq: number): Promise<void>;
  /**
   * Replaces the rows of these items, each at once and durably. A row that
   * already shows a newer seq stays as it is. At most one state per item.
   */
  replaceItems(teamId: string, items: readonly ItemPassages[]): Promise<void>;
  /** Rows with a seq above `afterSeq`, lowest first, at most `limit`. */
  changesAfter(teamId: string, afterSeq: number, limit: number): Promise<ItemPassages[]>;
}
