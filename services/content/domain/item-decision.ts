import { liveRow, type Position, type RowContent, removedRow } from './feed-change.ts';
import type { CheckedItem, Item, ItemRefusal, ItemState } from './item.ts';
import { itemJson } from './item-rules.ts';
import type { Tier } from './tier.ts';

/** Who writes. */
export interface Writer {
  tier: Tier;
  handle: string;
  memberId: string;
}

/** What is to become of one write, once the present state is known. */
export type Decision =
  | { kind: 'write'; at(position: Position): Item /** As of `ItemChange`. */; dropsVersions?: boolean }
  | { kind: 'unchanged' }
  | { kind: 'refused'; refusal: ItemRefusal };

const unchanged: Decision = { kind: 'unchanged' };
const outOfReach: ItemRefusal = { code: 'forbidden_tier', detail: 'This key may write external items only.' };

/** Why a writer may not push an item whatever is stored, which takes no look-up to say. */
export function refuseTier(item: CheckedItem, writer: Writer): ItemRefusal | undefined {
  return writer.tier === 'external' && item.tier !== 'external' ? outOfReach : undefined;
}

/** What a push is judged by. */
export type StoredVersion = Pick<ItemState, 'tier' | 'deleted' | 'checksum'>;

/**
 * Says what is to become of a push (decisions §3). A no-op comes before a
 * conflict, so that repeating a push whose answer was lost succeeds.
 */
export function judgePush(
  item: CheckedItem,
  writer: Writer,
  stored: StoredVersion | undefined,
): { kind: 'write' } | Exclude<Decision, { kind: 'write' }> {
  const live = stored?.deleted === false ? stored : undefined;
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
  return { kind: 'write' };
}

/** Decides about a push over what is stored. */
export function decidePush(item: CheckedItem, writer: Writer, current: ItemState | undefined): Decision {
  const verdict = judgePush(item, writer, current);
  if (verdict.kind !== 'write') return verdict;
  return { kind: 'write', at: (place) => liveRow(contentOf(item, writer), current, place) };
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
  return { kind: 'write', at: (place) => removedRow(current, place) };
}

function contentOf({ rowKey, tier, checksum, jsonHead }: CheckedItem, writer: Writer): RowContent {
  const { handle, memberId } = writer;
  const jsonAt = (updatedAtMs: number) => itemJson(jsonHead, updatedAtMs, handle);
  return { rowKey, tier, checksum, writerId: memberId, jsonAt };
}
