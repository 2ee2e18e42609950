import type { Charge } from './quota.ts';
import type { Tier } from './tier.ts';

/** An item as a client sent it: typed, nothing more. */
export interface ItemDraft {
  rowKey: string;
  content: string;
  /** The text of one JSON object. */
  frontmatterJson: string;
  /** A wire value or friendly name. */
  tier: string;
  checksum: string;
  /** Checksum of the version it was edited from. */
  baseChecksum?: string | undefined;
}

/** An item that follows every rule that needs no look-up. */
export interface CheckedItem {
  rowKey: string;
  tier: Tier;
  /** Lower-case. */
  checksum: string;
  baseChecksum: string | undefined;
  /** The public JSON up to the members that are known only when it is written. */
  jsonHead: string;
}

/** Why an item is not stored; `detail` is public. */
export interface ItemRefusal {
  code: 'admin_tier' | 'invalid_request' | 'forbidden_tier' | 'conflict' | 'quota_exceeded';
  detail: string;
  /** With `conflict`: the stored checksum, null where nothing is stored. */
  currentChecksum?: string | null;
}

/** Where an item stands, without its text: what decisions about a write rest on. */
export interface ItemState {
  rowKey: string;
  /** Position in the team's feed. */
  seq: number;
  /** When this state was written, milliseconds since the epoch; rises strictly with `seq`. */
  updatedAtMs: number;
  /** Who may see it; of a removed item, who could see it last. */
  tier: Tier;
  deleted: boolean;
  checksum: string;
  /** 1 for the first, one more for every version before it that was kept. */
  revision: number;
  /**
   * Where external keys find it in their feed: the time of the last change
   * that they may know of, which may be earlier than `updatedAtMs` of that change. Null while they could never see it. A change that
   * hides an item sets it once; later changes out of their sight leave it.
   */
  externalAtMs: number | null;
  /** What it takes of whose share; absent where nobody counts. */
  charge?: Charge;
}

/** An item as stored. */
export interface Item extends ItemState {
  /** The public JSON in UTF-8; empty for a removed item. Removed tasks and decisions keep theirs, which no page shows. */
  json: Uint8Array;
  /**
   * Id of the member who wrote an item that is there. Absent in what an earlier version of this program wrote, and in
   * removed items, in tasks, and in what an administrator wrote.
   */
  writerId?: string;
}
