import { AppError } from '@teammemory/errors/app-error.ts';
import type { FeedEntry } from '@teammemory/proto/content/v1/content_pb.ts';
import type { FeedItem } from '../domain/passages/item-feed.ts';
import { fieldsOfItem } from '../domain/passages/item-fields.ts';
import { tierFromProto } from './tier-proto.ts';

const dayLength = 'YYYY-MM-DD'.length;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** An item of content's feed; throws AppError `internal` for one that does not keep to its contract. */
export function feedItemFromProto(entry: FeedEntry): FeedItem {
  const { seq, rowKey, tier, deleted, writerId } = entry;
  const text = deleted ? { title: '', content: '' } : saidBy(entry);
  return {
    ...{ seq: Number(seq), rowKey, tier: tierFromProto(tier), ...text },
    ...(writerId === '' ? {} : { writerId }),
  };
}

function saidBy({ itemJson, rowKey, seq }: FeedEntry): Pick<FeedItem, 'title' | 'content' | 'fields'> {
  const item: unknown = JSON.parse(utf8.decode(itemJson));
  if (typeof item === 'object' && item !== null) {
    const { title, content, frontmatter, updated_at: updatedAt } = item as Readonly<Record<string, unknown>>;
    const changedOn = typeof updatedAt === 'string' ? updatedAt.slice(0, dayLength) : '';
    if (typeof title === 'string' && typeof content === 'string')
      return { title, content, fields: fieldsOfItem({ rowKey, frontmatter, changedOn }) };
  }
  const cause = new Error(`the item at ${seq} of the feed has no title or no content`);
  throw new AppError('internal', 'Something went wrong on our side.', { cause });
}
