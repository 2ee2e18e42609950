import type { Tier } from '@teammemory/vocabulary/tier.ts';

/** What a row takes from whose share of a quota. */
export interface Charge {
  /** Never `wholeTeam`. */
  owner: string;
  /** Bytes of its JSON. */
  bytes: number;
  /** Bytes of its kept versions. Once versions are dropped this is an estimate: each counts as their mean. */
  keptBytes: number;
}

/** With what a version was written, for people who ask later. Only items have it; it decides nothing. */
export interface Origin {
  /** Id of the key that wrote it. */
  key_id: string;
  /** The program, as it named itself. */
  client?: string;
  /** Handle of the member who proposed what this key accepted. */
  proposed_by?: string;
}

/** Who removes a row, and with what. */
export interface Remover {
  handle: string;
  origin?: Origin | undefined;
}

/** A row without its JSON: everything that the verdict on a write depends on. */
export interface FeedRowState {
  rowKey: string;
  /** Position in the team's feed. */
  seq: number;
  /** When this state was written, milliseconds since the epoch; rises strictly with `seq`. */
  updatedAtMs: number;
  /** Who may see it; of a removed row, who could see it last. */
  tier: Tier;
  deleted: boolean;
  checksum: string;
  /** 1 for the first version, and one more for every version that was kept before this one, removals of items included. */
  revision: number;
  /**
   * The time under which external keys find the row in their feed: that of the last change they may know of, which may
   * be earlier than `updatedAtMs` of that change. Null if they could never see the row. The change that hides a row
   * sets it; later changes out of their sight do not.
   */
  externalAtMs: number | null;
  /** Absent where no quota applies. */
  charge?: Charge;
  /** Handle of the member who removed the row; only in items, whose history tells of removals. */
  removedBy?: string;
  /**
   * Of an erased row, the revision from which on none of its versions is left. An erased row has neither text nor
   * checksum, and `removedBy` says who erased it.
   */
  erasedFrom?: number;
  /**
   * Id of the member who wrote the row. Absent in removed items, in tasks, and in what an administrator wrote.
   */
  writerId?: string;
  /** With what this state was written. Absent where nobody knows: in rows of earlier versions, and in imported ones. */
  origin?: Origin;
}

/** A stored row of any feed: an item, a task or a decision. */
export interface FeedRow extends FeedRowState {
  /** The public JSON in UTF-8; empty for a removed item. Removed tasks and decisions keep theirs, which no page shows. */
  json: Uint8Array;
}

/** The position that a row is written at. */
export interface Position {
  seq: number;
  updatedAtMs: number;
  /** The row's time for external keys, if they may know of the change. */
  externalAtMs: number;
}

/** Assigns positions to the rows of one write, one after the other. */
export interface Positions {
  /** Returns the next position, the same one until a row has taken it. */
  next(): Position;
  /** Moves on behind a row that was made at the next position, and returns the row. */
  take(row: FeedRow): FeedRow;
}

/**
 * Returns the positions after the newest row of a feed. Both times are the clock's, or one millisecond after the time
 * before if the clock is not ahead of it. The time for external keys counts from the newest change that they may know
 * of, so it does not reveal how much else changed.
 */
export function positionsAfter(
  head: { seq: number; updatedAtMs: number; newestExternalMs: number },
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
      // A change that external keys cannot see has an earlier time for them, or none.
      newestExternalMs = Math.max(newestExternalMs, row.externalAtMs ?? 0);
      return row;
    },
  };
}

/** What a row is to hold, in whichever feed. */
export interface RowContent {
  rowKey: string;
  tier: Tier;
  /** Equal checksums mean that a write changes nothing. */
  checksum: string;
  /** As in `FeedRow`. */
  writerId?: string;
  origin?: Origin | undefined;
  /** Returns the public JSON, which contains the time of the write. */
  jsonAt(updatedAtMs: number): Uint8Array;
}

/** Returns the row that replaces `current` and that its tier sees. */
export function liveRow(content: RowContent, current: FeedRowState | undefined, position: Position): FeedRow {
  const { rowKey, tier, checksum, writerId, origin, jsonAt } = content;
  const { seq, updatedAtMs, externalAtMs } = position;
  return {
    rowKey,
    seq,
    updatedAtMs,
    tier,
    deleted: false,
    checksum,
    revision: nextRevision(current),
    externalAtMs: externalTime(tier === 'external', current, position),
    // Rows that external keys may see are stored with the time for external keys; pages for team keys replace it.
    json: jsonAt(tier === 'external' ? externalAtMs : updatedAtMs),
    ...(writerId === undefined ? {} : { writerId }),
    ...(origin === undefined ? {} : { origin }),
  };
}

/**
 * Returns the row that tells readers of `current` to forget it. With `by` the removal itself is kept as a version when the
 * row is replaced.
 */
export function removedRow(current: FeedRowState, position: Position, by?: Remover): FeedRow {
  const { seq, updatedAtMs } = position;
  const { writerId, erasedFrom, origin, ...state } = current;
  return {
    ...state,
    ...(by === undefined ? {} : { removedBy: by.handle }),
    ...(by?.origin === undefined ? {} : { origin: by.origin }),
    seq,
    updatedAtMs,
    deleted: true,
    revision: nextRevision(current),
    externalAtMs: externalTime(false, current, position),
    json: new Uint8Array(),
  };
}

/** The checksum of an erased row: that of its text would tell whoever guesses the text that it is right. */
const erasedChecksum = '';

/** Returns the row that stays of `current` when it is erased, with its versions from a revision on. */
export function erasedRow(
  current: FeedRowState,
  position: Position,
  { from, by }: { from: number; by?: Remover },
): FeedRow {
  return { ...removedRow(current, position, by), checksum: erasedChecksum, erasedFrom: from };
}

/** Whether a row was erased. 0.1, which wrote over such a row, may have left `erasedFrom`. */
export function isErased(row: FeedRowState): row is FeedRowState & { erasedFrom: number } {
  return row.deleted && row.checksum === erasedChecksum && row.erasedFrom !== undefined;
}

/** Returns a row's time for external keys after a change: that of the change, if they see the row now or did until now. */
export function externalTime(
  isShown: boolean,
  current: FeedRowState | undefined,
  position: Position,
): number | null {
  const wasShown = current?.deleted === false && current.tier === 'external';
  return isShown || wasShown ? position.externalAtMs : (current?.externalAtMs ?? null);
}

/** What leaves no version behind gives its number to the row after it. */
function nextRevision(current: FeedRowState | undefined): number {
  if (current === undefined) return 1;
  return leavesVersion(current) ? current.revision + 1 : current.revision;
}

/** Whether a row is kept as a version when it is replaced. */
export function leavesVersion({ deleted, removedBy }: FeedRowState): boolean {
  return !deleted || removedBy !== undefined;
}

/** Returns the JSON by which a removal is kept, with the members that the JSON of a live row ends with. */
export function removalJson({ rowKey, tier, checksum, updatedAtMs, removedBy }: FeedRowState): Uint8Array {
  const updated_at = new Date(updatedAtMs).toISOString();
  const said = { row_key: rowKey, tier, checksum, updated_at, updated_by: removedBy ?? '', deleted: true };
  return Buffer.from(JSON.stringify(said));
}

const removalEnd = Buffer.from(',"deleted":true}');

/** Whether the JSON of a version is that of a removal. The JSON of a live row ends with a member that is text. */
export function isRemoval(json: Uint8Array): boolean {
  return removalEnd.equals(json.subarray(-removalEnd.length));
}
