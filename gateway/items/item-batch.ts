import type { MessageInitShape } from '@bufbuild/protobuf';
import { eventLoopTurns } from '@teammemory/async/event-loop-turns.ts';
import type { ItemError, ItemInputSchema } from '@teammemory/proto/content/v1/content_pb.ts';
import { maxRowKeyBytes } from '@teammemory/vocabulary/row-key.ts';
import { itemShape, type RefusedItem, saysPrivate } from './contract.ts';

/** Characters of a refused row_key that are sent back; its length may be what is wrong. */
const maxEchoedCharacters = maxRowKeyBytes;

/** An item whose members have the right types, and its index in the batch. */
export interface TypedItem {
  index: number;
  input: MessageInitShape<typeof ItemInputSchema>;
}

/**
 * Separates the items whose members have the right types from the others, which no service could read. Other requests
 * get their turn between two items.
 */
export async function sortByType(
  values: readonly unknown[],
): Promise<{ items: TypedItem[]; refused: RefusedItem[] }> {
  const items: TypedItem[] = [];
  const refused: RefusedItem[] = [];
  const nextTurn = eventLoopTurns();
  for (const [index, value] of values.entries()) {
    const typed = typedItem(value);
    await nextTurn();
    if (typeof typed !== 'string') {
      items.push({ index, input: typed });
      continue;
    }
    const reason: Pick<RefusedItem, 'code' | 'detail'> = saysPrivate(value)
      ? { code: 'admin_tier', detail: 'Private content is not accepted; correct its tier or audience.' }
      : { code: 'invalid_request', detail: typed };
    refused.push({ index, row_key: rowKeyOf(value), ...reason });
  }
  return { items, refused };
}

/** Maps a refusal of the content service; `items` are the items that were sent to it. */
export function refusedFromProto(error: ItemError, items: readonly TypedItem[]): RefusedItem {
  const { index, rowKey, code, detail, currentChecksum } = error;
  return {
    index: items[index]?.index ?? index,
    row_key: cutRowKey(rowKey),
    // A string in the proto; content sends only these codes.
    code: code as RefusedItem['code'],
    detail,
    ...(currentChecksum === undefined ? {} : { current_checksum: currentChecksum || null }),
  };
}

/** Returns the item as an RPC message, or what is wrong with its types. */
function typedItem(value: unknown): TypedItem['input'] | string {
  const result = itemShape.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    return issue === undefined || issue.path.length === 0
      ? 'An item must be an object.'
      : `${issue.path.join('.')} ${issue.message}.`;
  }
  const { row_key, content, frontmatter, tier, checksum, base_checksum, frontmatter_text } = result.data;
  return {
    rowKey: row_key,
    content,
    frontmatterJson: Buffer.from(JSON.stringify(frontmatter)),
    tier,
    checksum,
    ...(typeof base_checksum === 'string' ? { baseChecksum: base_checksum } : {}),
    createOnly: base_checksum === null,
    ...(frontmatter_text === undefined ? {} : { frontmatterText: frontmatter_text }),
  };
}

function rowKeyOf(value: unknown): string {
  const rowKey = (value as { row_key?: unknown } | null | undefined)?.row_key;
  return typeof rowKey === 'string' ? cutRowKey(rowKey) : '';
}

function cutRowKey(rowKey: string): string {
  return rowKey.slice(0, maxEchoedCharacters).toWellFormed();
}
