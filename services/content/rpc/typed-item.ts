import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { eventLoopTurns } from '@teammemory/async/event-loop-turns.ts';
import {
  type FeedEntry,
  FeedEntrySchema,
  type Item,
  ItemSchema,
} from '@teammemory/proto/content/v1/content_pb.ts';
import type { Tier } from '@teammemory/vocabulary/tier.ts';
import type { FeedRow } from '../domain/feed/feed-row.ts';
import type { PageRow } from '../domain/feed/feed-store.ts';
import { itemEntryToProto, tierToProto } from './feed-proto.ts';

/** The members of an item in public JSON, without its front matter; a summary lacks some. */
interface ItemRow {
  row_key: string;
  title: string;
  content?: string;
  frontmatter_text?: string;
  tier: Tier;
  checksum: string;
  updated_at: string;
  updated_by: string;
  by_guest?: boolean;
}

const frontmatterName = ',"frontmatter":';
const textName = ',"frontmatter_text":"';
const tierName = ',"tier":"';

/** Returns an item as a message: the same as its public JSON says, and nothing else. */
export function typedItem(json: Uint8Array): Item {
  const { row, frontmatterJson } = readItem(Buffer.from(json.buffer, json.byteOffset, json.length));
  const { frontmatter_text: frontmatterText } = row;
  return create(ItemSchema, {
    rowKey: row.row_key,
    title: row.title,
    content: row.content ?? '',
    frontmatterJson,
    ...(frontmatterText === undefined ? {} : { frontmatterText }),
    tier: tierToProto(row.tier),
    checksum: row.checksum,
    updatedAt: timestampFromMs(Date.parse(row.updated_at)),
    updatedBy: row.updated_by,
    byGuest: row.by_guest ?? false,
  });
}

/** Returns the rows of a page as messages. */
export function typedItems(rows: readonly PageRow[]): Promise<Item[]> {
  return each(rows, ({ deleted, rowKey, atMs, json }) =>
    deleted ? create(ItemSchema, { rowKey, deleted, updatedAt: timestampFromMs(atMs) }) : typedItem(json),
  );
}

/** Returns items of the feed for a follower who wants messages. */
export function typedEntriesToProto(rows: readonly FeedRow[]): Promise<FeedEntry[]> {
  return each(rows, (row) => {
    const entry = create(FeedEntrySchema, itemEntryToProto({ ...row, json: new Uint8Array() }));
    if (!row.deleted) entry.item = typedItem(row.json);
    return entry;
  });
}

/** A page may have 8 MiB, so other calls get their turns in between. */
async function each<Row, Message>(
  rows: readonly Row[],
  toMessage: (row: Row) => Message,
): Promise<Message[]> {
  const nextTurn = eventLoopTurns();
  const messages: Message[] = [];
  for (const row of rows) {
    messages.push(toMessage(row));
    await nextTurn();
  }
  return messages;
}

/**
 * Takes the front matter out as it is written, because some of its numbers may be no double. It stands between the first
 * use of its name and the last one of `tier`: the strings around it have their quotes escaped. Its text, a string, may
 * stand behind it.
 */
function readItem(json: Buffer): { row: ItemRow; frontmatterJson: Buffer } {
  const from = json.indexOf(frontmatterName);
  if (from < 0) return { row: JSON.parse(json.toString()), frontmatterJson: Buffer.alloc(0) };
  const tierAt = json.lastIndexOf(tierName);
  const hasText = json.toString('latin1', tierAt - 1, tierAt) === '"';
  const to = hasText ? json.lastIndexOf(textName, tierAt - 1) : tierAt;
  const row = JSON.parse(Buffer.concat([json.subarray(0, from), json.subarray(to)]).toString());
  return { row, frontmatterJson: json.subarray(from + frontmatterName.length, to) };
}
