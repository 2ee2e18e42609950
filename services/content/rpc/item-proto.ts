import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { FeedEntrySchema, ItemErrorSchema, ItemInput } from '@teammemory/proto/content/v1/content_pb.ts';
import { maxRowKeyBytes } from '@teammemory/vocabulary/row-key.ts';
import type { Item, ItemDraft, ItemRefusal } from '../domain/item.ts';
import { tierToProto } from './tier-proto.ts';

// Bytes that are not UTF-8 must not pass as if they were: the row is stored as given.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** An item as sent; front matter that is not UTF-8 becomes text that no rule accepts. */
export function itemDraftFromProto(input: ItemInput): ItemDraft {
  const { rowKey, content, tier, checksum, baseChecksum } = input;
  return { rowKey, content, tier, checksum, baseChecksum, frontmatterJson: textOf(input.frontmatterJson) };
}

/** Why an item was refused; its row_key is cut, for it may be what is wrong. */
export function itemErrorToProto(
  index: number,
  rowKey: string,
  refusal: ItemRefusal,
): MessageInitShape<typeof ItemErrorSchema> {
  const { code, detail, currentChecksum } = refusal;
  return {
    index,
    rowKey: rowKey.slice(0, maxRowKeyBytes).toWellFormed(),
    code,
    detail,
    ...(currentChecksum === undefined ? {} : { currentChecksum: currentChecksum ?? '' }),
  };
}

/** A row of the feed for a follower. */
export function feedEntryToProto(item: Item): MessageInitShape<typeof FeedEntrySchema> {
  return {
    seq: BigInt(item.seq),
    rowKey: item.rowKey,
    tier: tierToProto(item.tier),
    deleted: item.deleted,
    itemJson: item.json,
    updatedAt: timestampFromMs(item.updatedAtMs),
    writerId: item.writerId ?? '',
  };
}

/** A task or decision of the feed for a follower; what a removed one keeps is not shown. */
export function rowEntryToProto(row: Item): MessageInitShape<typeof FeedEntrySchema> {
  const { seq, rowKey, tier, deleted, json, updatedAtMs, writerId } = row;
  return {
    seq: BigInt(seq),
    // The key of a task has its source before it.
    rowId: rowKey.slice(rowKey.lastIndexOf('\n') + 1),
    tier: tierToProto(tier),
    deleted,
    ...(deleted ? {} : { rowJson: json, writerId: writerId ?? '' }),
    updatedAt: timestampFromMs(updatedAtMs),
  };
}

function textOf(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return '';
  }
}
