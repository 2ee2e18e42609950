import { AppError } from '@teammemory/errors/app-error.ts';
import type { FeedEntry } from '@teammemory/proto/content/v1/content_pb.ts';
import { reviewDay } from '@teammemory/vocabulary/freshness.ts';
import type { FeedDecision, FeedItem, FeedTask, GoneRow } from '../domain/passages/feeds.ts';
import { fieldsOfItem } from '../domain/passages/item-fields.ts';
import { documentKey } from '../domain/passages/passage.ts';
import { tierFromProto } from './questions-proto.ts';

const dayLength = 'YYYY-MM-DD'.length;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** An item of content's feed; throws AppError `internal` for one that does not keep to its contract. */
export function feedItemFromProto(entry: FeedEntry): FeedItem {
  const { seq, rowKey, tier, deleted, writerId } = entry;
  const text = deleted ? { title: '', content: '' } : saidBy(entry);
  return {
    seq: Number(seq),
    rowKey,
    tier: tierFromProto(tier),
    ...text,
    ...(writerId === '' ? {} : { writerId }),
    ...erasedOf(entry),
  };
}

function erasedOf({ erased }: FeedEntry): { isErased?: true } {
  return erased ? { isErased: true } : {};
}

function saidBy({ itemJson, rowKey, seq }: FeedEntry): Pick<FeedItem, 'title' | 'content' | 'fields'> {
  const item: unknown = JSON.parse(utf8.decode(itemJson));
  if (typeof item === 'object' && item !== null) {
    const { title, content, frontmatter, updated_at: updatedAt, by_guest: byGuest } = item as Json;
    const changedOn = typeof updatedAt === 'string' ? updatedAt.slice(0, dayLength) : '';
    const checkBy = reviewDayOf(frontmatter, updatedAt);
    if (typeof title === 'string' && typeof content === 'string')
      return {
        title,
        content,
        fields: {
          ...fieldsOfItem({ rowKey, frontmatter, changedOn }),
          ...(byGuest === true && { isByGuest: true }),
          ...(checkBy !== undefined && { checkBy }),
        },
      };
  }
  const cause = new Error(`the item at ${seq} of the feed has no title or no content`);
  throw new AppError('internal', 'Something went wrong on our side.', { cause });
}

function reviewDayOf(frontmatter: unknown, updatedAt: unknown): string | undefined {
  if (typeof frontmatter !== 'object' || frontmatter === null) return undefined;
  return reviewDay(frontmatter as Json, String(updatedAt));
}

type Json = Readonly<Record<string, unknown>>;

/** A task of content's feed; throws AppError `internal` for one that does not keep to its contract. */
export function feedTaskFromProto(entry: FeedEntry): FeedTask | GoneRow {
  const state = stateOf(entry);
  if (entry.deleted) return { ...state, isGone: true, ...erasedOf(entry) };
  const row = rowOf(entry);
  const { tags } = row;
  const source = objectOf(row.source, entry);
  const key =
    source.decision_id === undefined
      ? textOf(source.row_key, entry)
      : documentKey('decision', textOf(source.decision_id, entry));
  return {
    ...state,
    ...shownOf(row, entry),
    isGone: false,
    owner: textOf(row.owner ?? '', entry),
    due: textOf(row.due ?? '', entry),
    tags: Array.isArray(tags) ? tags.map((tag) => textOf(tag, entry)) : [],
    source: { key, heading: textOf(source.heading ?? '', entry) },
  };
}

/** The same of a decision. */
export function feedDecisionFromProto(entry: FeedEntry): FeedDecision | GoneRow {
  const state = stateOf(entry);
  if (entry.deleted) return { ...state, isGone: true, ...erasedOf(entry) };
  const row = rowOf(entry);
  return {
    ...state,
    ...shownOf(row, entry),
    isGone: false,
    body: textOf(row.body, entry),
    decidedOn: textOf(row.decided_on ?? '', entry),
    ...(entry.writerId === '' ? {} : { writerId: entry.writerId }),
  };
}

function stateOf({ seq, rowId, tier }: FeedEntry) {
  return { seq: Number(seq), id: rowId, tier: tierFromProto(tier) };
}

/** The fields that tasks and decisions share. */
function shownOf(row: Json, entry: FeedEntry) {
  return {
    title: textOf(row.title, entry),
    status: textOf(row.status, entry),
    project: textOf(row.project ?? '', entry),
    // Not the time of the entry, which may be that of a change out of the sight of external keys.
    updatedOn: textOf(row.updated_at, entry).slice(0, dayLength),
  };
}

function rowOf(entry: FeedEntry): Json {
  return objectOf(JSON.parse(utf8.decode(entry.rowJson)), entry);
}

function objectOf(value: unknown, entry: FeedEntry): Json {
  if (typeof value === 'object' && value !== null) return value as Json;
  throw notInForm(entry);
}

function textOf(value: unknown, entry: FeedEntry): string {
  if (typeof value === 'string') return value;
  throw notInForm(entry);
}

function notInForm({ rowId, seq }: FeedEntry): AppError {
  const cause = new Error(`the row ${rowId} at ${seq} of a feed is not in the form of its list`);
  return new AppError('internal', 'Something went wrong on our side.', { cause });
}
