import type { CheckedItem, Item, ItemRefusal, ItemState } from './item.ts';
import { itemJson } from './item-rules.ts';
import type { Tier } from './tier.ts';

/** Who writes. */
export interface Writer {
  tier: Tier;
  handle: string;
}

/** The place a row is to be written at. */
export interface Position {
  seq: number;
  updatedAtMs: number;
}

/** What is to become of one write, once the present state is known. */
export type Decision =
  | { kind: 'write'; at(position: Position): Item }
  | { kind: 'unchanged' }
  | { kind: 'refused'; refusal: ItemRefusal };

const unchanged: Decision = { kind: 'unchanged' };
const outOfReach: ItemRefusal = { code: 'forbidden_tier', detail: 'This key may write external items only.' };

/** Why a writer may not push an item whatever is stored, which takes no look-up to say. */
export function refuseTier(item: CheckedItem, writer: Writer): ItemRefusal | undefined {
  return writer.tier === 'external' && item.tier !== 'external' ? outOfReach : undefined;
}

/**
 * Decides about a push (decisions §3). A no-op comes before a conflict, so
 * that repeating a push whose answer was lost succeeds.
 */
export function decidePush(item: CheckedItem, writer: Writer, current: ItemState | undefined): Decision {
  const live = current?.deleted === false ? current : undefined;
  const takesOver = writer.tier === 'external' && live?.tier === 'team';
  const refusal = refuseTier(item, writer) ?? (takesOver ? outOfReach : undefined);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  if (live?.checksum === item.checksum && live.tier === item.tier) return unchanged;
  if (item.baseChecksum !== undefined && item.baseChecksum !== live?.checksum) {
    return {
      kind: 'refused',
      refusal: {
        code: 'conflict',
        detail: 'The stored item is not the version that this one was edited from.',
        currentChecksum: live?.checksum ?? null,
      },
    };
  }
  return {
    kind: 'write',
    at: ({ seq, updatedAtMs }) => ({
      rowKey: item.rowKey,
      seq,
      updatedAtMs,
      tier: item.tier,
      deleted: false,
      checksum: item.checksum,
      revision: nextRevision(current),
      externalAtMs: externalPlace(item.tier, live, current, updatedAtMs),
      json: itemJson(item.jsonHead, updatedAtMs, writer.handle),
    }),
  };
}

/**
 * Decides about a removal. What the writer may not know of is `not_found`
 * (undefined here), exactly like what never was; what is gone from its sight
 * already stays as it is.
 */
export function decideRemoval(writer: Writer, current: ItemState | undefined): Decision | undefined {
  if (current === undefined) return undefined;
  if (writer.tier === 'external' && current.externalAtMs === null) return undefined;
  if (current.deleted || (writer.tier === 'external' && current.tier === 'team')) return unchanged;
  return {
    kind: 'write',
    at: ({ seq, updatedAtMs }) => ({
      ...current,
      seq,
      updatedAtMs,
      deleted: true,
      revision: nextRevision(current),
      externalAtMs: current.tier === 'external' ? updatedAtMs : current.externalAtMs,
      json: new Uint8Array(),
    }),
  };
}

/** A removed item leaves no version behind, so what follows it keeps its number. */
function nextRevision(current: ItemState | undefined): number {
  if (current === undefined) return 1;
  return current.deleted ? current.revision : current.revision + 1;
}

function externalPlace(
  tier: Tier,
  live: ItemState | undefined,
  current: ItemState | undefined,
  updatedAtMs: number,
): number | null {
  if (tier === 'external' || live?.tier === 'external') return updatedAtMs;
  return current?.externalAtMs ?? null;
}
