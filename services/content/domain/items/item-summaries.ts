import { AppError } from '@teammemory/errors/app-error.ts';
import { maxPageRows } from '@teammemory/vocabulary/limits.ts';
import { itemSummary, maxPageBytes, type Reader, shownJson } from '../feed/feed-page.ts';
import type { FeedRow } from '../feed/feed-row.ts';
import type { FeedStore } from '../feed/feed-store.ts';

/**
 * Returns the public JSON, without their text, of those of some items that the reader sees, and which of them did not fit
 * the answer.
 * @throws AppError `invalid_request` for more than 200 items, `unavailable`.
 */
export async function readItemSummaries(
  items: FeedStore,
  reader: Reader,
  rowKeys: readonly string[],
): Promise<{ items: Uint8Array[]; unread: string[] }> {
  if (rowKeys.length > maxPageRows) {
    throw new AppError('invalid_request', `row_keys must have at most ${maxPageRows} entries.`);
  }
  const asked = [...new Set(rowKeys)].sort(inOrder);
  const rows = await items.readShown(reader.teamId, reader.tier, asked, maxPageBytes);
  const last = lastOfPage(rows);
  const unread = last === undefined ? [] : asked.slice(asked.indexOf(last) + 1);
  return { items: rows.map((row) => summaryOf(row, reader)), unread };
}

/** Returns an item as lists show it, without its text. The store has looked up only rows that the reader sees. */
export function summaryOf(row: FeedRow, { tier }: Reader): Uint8Array {
  return itemSummary(shownJson(row, tier) ?? row.json);
}

/** Returns the key of the row that made a page too large, if one did: those after it were not read. */
export function lastOfPage(rows: readonly FeedRow[]): string | undefined {
  const bytes = rows.reduce((sum, { json }) => sum + json.length, 0);
  return bytes > maxPageBytes ? rows.at(-1)?.rowKey : undefined;
}

/** Orders keys by code points, which is the order of their bytes. */
function inOrder(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
